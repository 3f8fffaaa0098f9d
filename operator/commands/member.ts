import { type Command, Option } from 'commander'
import { addMember } from '#domain/member/add-member.ts'
import { listMembers } from '#domain/member/list-members.ts'
import { removeMember } from '#domain/member/remove-member.ts'
import { allPages } from '#domain/page.ts'
import { type Role, roles } from '#domain/permissions.ts'
import type { TenantOperatorScope } from '#domain/scope.ts'
import { onTenant, withTenant } from '../options.ts'
import { list, type Output, record } from '../output.ts'
import type { Performers } from '../perform.ts'

export function addCommands(noun: Command, { perform }: Performers): void {
  withSubject(withTenant(noun.command('add')))
    .description('Add a member, or change the role of an existing one')
    .addOption(new Option('--role <role>', 'role of the member').choices(roles).makeOptionMandatory())
    .addHelpText('after', '\nExample:\n  operator member add --tenant ID --subject 248289761001 --role owner')
    .action(onTenant(perform, add))
  withTenant(noun.command('list')).description('List members').action(onTenant(perform, listAll))
  withSubject(withTenant(noun.command('remove')))
    .description('Remove a member; the last owner cannot be removed')
    .option('--issuer <issuer>', 'issuer of a member of a former sign-in provider; default: the one in use')
    .action(onTenant(perform, remove))
}

function withSubject(command: Command): Command {
  return command.requiredOption('--subject <subject>', "the user's subject at the sign-in provider")
}

async function add(scope: TenantOperatorScope, options: { subject: string; role: Role }): Promise<Output> {
  const { tenantId, subject, role } = await addMember(scope, options)
  return record({ tenantId, subject, role })
}

async function listAll(scope: TenantOperatorScope): Promise<Output> {
  const members = await allPages(request => listMembers(scope, request))
  const rows = members.map(({ subject, role, addedAt, lastSeenAt, issuer }) => {
    return { subject, role, addedAt, lastSeenAt, issuer }
  })
  return list(rows, 'There are no members yet.')
}

async function remove(
  scope: TenantOperatorScope,
  { subject, issuer }: { subject: string; issuer?: string },
): Promise<Output> {
  await removeMember(scope, { subject, issuer })
  return record({ tenantId: scope.actor.tenantId, subject, role: null })
}
