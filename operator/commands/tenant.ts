import { type Command, Option } from 'commander'
import { forTenant, type OperatorScope, type TenantScope } from '#domain/scope.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { getTenant } from '#domain/tenant/get-tenant.ts'
import { listTenantPage, listTenants } from '#domain/tenant/list-tenants.ts'
import { setSubscription } from '#domain/tenant/set-subscription.ts'
import { setTenantEnabled } from '#domain/tenant/set-tenant-enabled.ts'
import { setTenantPlan } from '#domain/tenant/set-tenant-plan.ts'
import { type SubscriptionState, subscriptionStates, type Tenant } from '#domain/tenant/tenant.entity.ts'
import { currentUsage } from '#domain/usage/current-usage.ts'
import { monthlyUsage } from '#domain/usage/monthly-usage.ts'
import { type PageOptions, readPage, withPage, withTenant } from '../options.ts'
import { list, type Output, record } from '../output.ts'
import type { Perform, Performers } from '../perform.ts'
import { addTenantDeletion } from './tenant-deletion.ts'
import { addTenantSettingCommands } from './tenant-settings.ts'

interface TenantOptions {
  tenant: string
}

export function addTenantCommands(noun: Command, { perform }: Performers): void {
  noun
    .command('create')
    .description('Create a tenant with an active subscription')
    .requiredOption('--name <name>', 'display name')
    .option('--plan <plan>', 'name of the plan; default: "default"')
    .addHelpText('after', '\nExample:\n  operator tenant create --name "Corner Shop" --plan large')
    .action((options: { name: string; plan?: string }) => perform(scope => create(scope, options)))
  withPage(noun.command('list'), 'all')
    .description('List tenants with their usage in this UTC month, oldest first')
    .action((options: PageOptions) => perform(scope => listAll(scope, options)))
  withTenant(noun.command('show'))
    .description('Show a tenant with its usage in this UTC month')
    .action(({ tenant }: TenantOptions) =>
      perform(async scope => {
        const bound = forTenant(scope, tenant)
        return await show(bound, await getTenant(bound))
      }),
    )
  addStateCommands(noun, perform)
  addTenantSettingCommands(noun, perform)
  addTenantDeletion(noun, perform)
}

function addStateCommands(noun: Command, perform: Perform): void {
  for (const [verb, enabled] of [
    ['disable', false],
    ['enable', true],
  ] as const) {
    withTenant(noun.command(verb))
      .description(
        enabled ? "Enable a tenant's API keys again" : "Disable all of a tenant's API keys immediately",
      )
      .action(({ tenant }: TenantOptions) =>
        perform(async scope => {
          const bound = forTenant(scope, tenant)
          return await show(bound, await setTenantEnabled(bound, { enabled }))
        }),
      )
  }
  withTenant(noun.command('set-subscription'))
    .description('Set the state of the subscription')
    .addOption(
      new Option('--state <state>', 'subscription state').choices(subscriptionStates).makeOptionMandatory(),
    )
    .action(({ tenant, state }: TenantOptions & { state: SubscriptionState }) =>
      perform(async scope => {
        const bound = forTenant(scope, tenant)
        return await show(bound, await setSubscription(bound, { state }))
      }),
    )
  withTenant(noun.command('set-plan'))
    .description('Move a tenant to another plan')
    .requiredOption('--plan <plan>', 'name of the plan')
    .action(({ tenant, plan }: TenantOptions & { plan: string }) =>
      perform(async scope => {
        const bound = forTenant(scope, tenant)
        return await show(bound, await setTenantPlan(bound, { plan }))
      }),
    )
}

async function create(scope: OperatorScope, options: { name: string; plan?: string }): Promise<Output> {
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

async function show(scope: TenantScope, tenant: Tenant): Promise<Output> {
  const { used } = await currentUsage(scope)
  return record(present(tenant, used))
}

function present(tenant: Tenant, usage: number) {
  return { ...identity(tenant), enabled: tenant.enabled, usage }
}

function identity({ id, name, plan, subscription }: Tenant) {
  return { tenantId: id, name, plan: plan.name, subscription }
}
