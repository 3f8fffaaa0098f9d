import { type Command, Option } from 'commander'
import { addMember } from '#domain/member/add-member.ts'
import { listMembers } from '#domain/member/list-members.ts'
import { type Role, roles } from '#domain/member/member.policy.ts'
import { removeMember } from '#domain/member/remove-member.ts'
import type { Scope } from '#domain/scope.ts'
import { type Answer, many, one } from '../answer.ts'
import type { Perform } from '../perform.ts'
import { byTenant } from './by-tenant.ts'

export function addMemberCommands(program: Command, perform: Perform): void {
  const noun = program.command('member').description("who may use a tenant's console")
  byTenant(noun.command('add'))
    .description('let a user in; one who is in already gets the role')
    .requiredOption('--subject <subject>', 'the user, as the sign-in provider knows them')
    .addOption(new Option('--role <role>', 'what they may do').choices(roles).makeOptionMandatory())
    .addHelpText('after', '\nExample:\n  operator member add --tenant ID --subject 248289761001 --role owner')
    .action((options: { tenant: string; subject: string; role: Role }) =>
      perform(scope => add(scope, options)),
    )
  byTenant(noun.command('list'))
    .description('who is in')
    .action(({ tenant }: { tenant: string }) => perform(scope => list(scope, tenant)))
  byTenant(noun.command('remove'))
    .description('shut a user out; the last owner stays')
    .requiredOption('--subject <subject>', 'the user, as the sign-in provider knows them')
    .action((options: { tenant: string; subject: string }) => perform(scope => remove(scope, options)))
}

async function add(scope: Scope, input: { tenant: string; subject: string; role: Role }): Promise<Answer> {
  const { tenantId, subject, role } = await addMember(scope, { ...input, tenantId: input.tenant })
  return one({ tenantId, subject, role })
}

async function list(scope: Scope, tenantId: string): Promise<Answer> {
  const members = await listMembers(scope, { tenantId })
  const rows = members.map(({ subject, role, addedAt }) => ({
    subject,
    role,
    addedAt: addedAt.toISOString(),
  }))
  return many(rows, 'Nobody is in yet.')
}

async function remove(
  scope: Scope,
  { tenant, subject }: { tenant: string; subject: string },
): Promise<Answer> {
  await removeMember(scope, { tenantId: tenant, subject })
  return one({ tenantId: tenant, subject, role: null })
}
