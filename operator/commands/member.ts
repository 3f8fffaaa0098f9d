import { type Command, Option } from 'commander'
import { addMember } from '#domain/member/add-member.ts'
import { listMembers } from '#domain/member/list-members.ts'
import { removeMember } from '#domain/member/remove-member.ts'
import { allPages } from '#domain/page.ts'
import { type Role, roles } from '#domain/permissions.ts'
import { forTenant, type OperatorScope } from '#domain/scope.ts'
import { withTenant } from '../options.ts'
import { list, type Output, record } from '../output.ts'
import type { Performers } from '../perform.ts'

interface MemberOptions {
  tenant: string
  subject: string
}

export function addCommands(noun: Command, { perform }: Performers): void {
  withSubject(withTenant(noun.command('add')))
    .description('Add a member, or change the role of an existing one')
    .addOption(new Option('--role <role>', 'role of the member').choices(roles).makeOptionMandatory())
    .addHelpText('after', '\nExample:\n  operator member add --tenant ID --subject 248289761001 --role owner')
    .action((options: MemberOptions & { role: Role }) => perform(scope => add(scope, options)))
  withTenant(noun.command('list'))
    .description('List members')
    .action(({ tenant }: { tenant: string }) => perform(scope => listAll(scope, tenant)))
  withSubject(withTenant(noun.command('remove')))
    .description('Remove a member; the last owner cannot be removed')
    .option('--issuer <issuer>', 'issuer of a member of a former sign-in provider; default: the one in use')
    .action((options: MemberOptions & { issuer?: string }) => perform(scope => remove(scope, options)))
}

function withSubject(command: Command): Command {
  return command.requiredOption('--subject <subject>', "the user's subject at the sign-in provider")
}

async function add(
  scope: OperatorScope,
  { tenant, subject, role }: MemberOptions & { role: Role },
): Promise<Output> {
  const member = await addMember(forTenant(scope, tenant), { subject, role })
  return record({ tenantId: member.tenantId, subject: member.subject, role: member.role })
}

async function listAll(scope: OperatorScope, tenantId: string): Promise<Output> {
  const members = await allPages(request => listMembers(forTenant(scope, tenantId), request))
  const rows = members.map(({ subject, role, addedAt, lastSeenAt, issuer }) => {
    return { subject, role, addedAt, lastSeenAt, issuer }
  })
  return list(rows, 'There are no members yet.')
}

async function remove(
  scope: OperatorScope,
  { tenant, subject, issuer }: MemberOptions & { issuer?: string },
): Promise<Output> {
  await removeMember(forTenant(scope, tenant), { subject, issuer })
  return record({ tenantId: tenant, subject, role: null })
}
