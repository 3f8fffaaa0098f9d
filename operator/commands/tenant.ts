import { type Command, Option } from 'commander'
import { monthlyEvidence } from '#domain/evidence/monthly-evidence.ts'
import type { OperatorScope, TenantOperatorScope } from '#domain/scope.ts'
import { setSubscription, setTenantEnabled, setTenantPlan } from '#domain/tenant/change-tenant-access.ts'
import { createTenant, type NewTenant } from '#domain/tenant/create-tenant.ts'
import { subscriptionStates, type Tenant } from '#domain/tenant/tenant.entity.ts'
import { currentUsage, monthlyUsage } from '#domain/usage/current-usage.ts'
import { onTenant, type PageOptions, readPage, withPage, withTenant } from '../options.ts'
import { list, type Output, record } from '../output.ts'
import type { Perform, Performers } from '../perform.ts'
import { listTenantPage, listTenants } from '../queries/list-tenants.ts'
import { addTenantDeletion } from './tenant-deletion.ts'
import { addTenantSettingCommands } from './tenant-settings.ts'
import { identity, present, showTenant } from './tenant-show.ts'

export function addCommands(noun: Command, { perform }: Performers): void {
  noun
    .command('create')
    .description('Create a tenant with an active subscription')
    .requiredOption('--name <name>', 'display name')
    .option('--plan <plan>', 'name of the plan; default: "default"')
    .option('--test', 'a test tenant: the service itself plays the identity provider (TEST_TENANTS)')
    .addHelpText('after', '\nExample:\n  operator tenant create --name "Corner Shop" --plan large')
    .action((options: NewTenant) => perform(scope => create(scope, options)))
  withPage(noun.command('list'), 'all')
    .description('List tenants with their usage in this UTC month, oldest first')
    .action((options: PageOptions) => perform(scope => listAll(scope, options)))
  withTenant(noun.command('show'))
    .description("Show a tenant, its usage beside its plan's limits, and what its requests are rejected with")
    .action(onTenant(perform, showTenant))
  withTenant(noun.command('evidence'))
    .description('Print signed evidence of a month, as a JWS that the page /evidence of the service shows')
    .requiredOption('--month <month>', 'UTC month, YYYY-MM')
    .addHelpText('after', '\nExample:\n  operator tenant evidence --tenant ID --month 2026-11 > 2026-11.jwt')
    .action(
      onTenant(perform, async (scope, options: { month: string }) => {
        const jws = await monthlyEvidence(scope, options)
        return { json: { jws }, text: () => `${jws}\n` }
      }),
    )
  addStateCommands(noun, perform)
  addTenantSettingCommands(noun, perform)
  addTenantDeletion(noun, perform)
}

function addStateCommands(noun: Command, perform: Perform): void {
  addTenantCommand(noun.command('disable'), perform, scope =>
    setTenantEnabled(scope, { enabled: false }),
  ).description("Disable all of a tenant's API keys immediately")
  addTenantCommand(noun.command('enable'), perform, scope =>
    setTenantEnabled(scope, { enabled: true }),
  ).description("Enable a tenant's API keys again")
  const state = new Option('--state <state>', 'subscription state').choices(subscriptionStates)
  addTenantCommand(noun.command('set-subscription'), perform, setSubscription)
    .description('Set the state of the subscription')
    .addOption(state.makeOptionMandatory())
  addTenantCommand(noun.command('set-plan'), perform, setTenantPlan)
    .description('Move a tenant to another plan')
    .requiredOption('--plan <plan>', 'name of the plan')
}

/** A command that changes a tenant, and prints it. */
function addTenantCommand<Options>(
  command: Command,
  perform: Perform,
  act: (scope: TenantOperatorScope, options: Options) => Promise<Tenant>,
): Command {
  const show = async (scope: TenantOperatorScope, options: Options) => {
    const tenant = await act(scope, options)
    const { used } = await currentUsage(scope)
    return record(present(tenant, used))
  }
  return withTenant(command).action(onTenant(perform, show))
}

async function create(scope: OperatorScope, options: NewTenant): Promise<Output> {
  const tenant = await createTenant(scope, options)
  return record(
    identity(tenant),
    `Next, create a key: npm run --silent operator -- key create --tenant ${tenant.id}`,
  )
}

async function listAll(scope: OperatorScope, options: PageOptions): Promise<Output> {
  const isPage = options.limit !== undefined || options.after !== undefined
  const { items: tenants, nextCursor } = isPage
    ? await listTenantPage(scope, readPage(options))
    : { items: await listTenants(scope), nextCursor: null }
  const usage = await monthlyUsage(scope)
  const rows = tenants.map(tenant => present(tenant, usage.get(tenant.id) ?? 0))
  return list(rows, 'There are no tenants yet.', nextCursor)
}
