import { type Command, Option } from 'commander'
import type { Scope } from '#domain/scope.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { getTenant } from '#domain/tenant/get-tenant.ts'
import { listTenants } from '#domain/tenant/list-tenants.ts'
import { setSubscription } from '#domain/tenant/set-subscription.ts'
import { setTenantEnabled } from '#domain/tenant/set-tenant-enabled.ts'
import { setTenantPlan } from '#domain/tenant/set-tenant-plan.ts'
import { type SubscriptionState, subscriptionStates, type Tenant } from '#domain/tenant/tenant.entity.ts'
import { monthlyUsage } from '#domain/usage/monthly-usage.ts'
import { type Answer, many, one } from '../answer.ts'
import type { Perform } from '../perform.ts'
import { byTenant } from './by-tenant.ts'

interface OfTenant {
  tenant: string
}

export function addTenantCommands(program: Command, perform: Perform): Command {
  const noun = program.command('tenant').description('API customers and their settings')
  noun
    .command('create')
    .description('make a tenant, provisioned and with an active subscription')
    .requiredOption('--name <name>', 'what people call it')
    .option('--plan <plan>', 'the plan; "default" where it is not named')
    .addHelpText('after', '\nExample:\n  operator tenant create --name "Corner Shop" --plan large')
    .action((options: { name: string; plan?: string }) => perform(scope => create(scope, options)))
  noun
    .command('list')
    .description('all tenants, with their use of this UTC month')
    .action(() => perform(list))
  byTenant(noun.command('show'))
    .description('one tenant')
    .action(({ tenant }: OfTenant) =>
      perform(async scope => present(scope, await getTenant(scope, { tenantId: tenant }))),
    )
  addStateCommands(noun, perform)
  return noun
}

function addStateCommands(noun: Command, perform: Perform): void {
  for (const [verb, enabled] of [
    ['disable', false],
    ['enable', true],
  ] as const) {
    byTenant(noun.command(verb))
      .description(enabled ? 'let its keys work again' : 'stop all of its keys, at once')
      .action(({ tenant }: OfTenant) =>
        perform(async scope => present(scope, await setTenantEnabled(scope, { tenantId: tenant, enabled }))),
      )
  }
  byTenant(noun.command('set-subscription'))
    .description('say whether it pays')
    .addOption(new Option('--state <state>', 'the state').choices(subscriptionStates).makeOptionMandatory())
    .action(({ tenant, state }: OfTenant & { state: SubscriptionState }) =>
      perform(async scope => present(scope, await setSubscription(scope, { tenantId: tenant, state }))),
    )
  byTenant(noun.command('set-plan'))
    .description('put it on another plan')
    .requiredOption('--plan <plan>', 'name of the plan')
    .action(({ tenant, plan }: OfTenant & { plan: string }) =>
      perform(async scope => present(scope, await setTenantPlan(scope, { tenantId: tenant, plan }))),
    )
}

async function create(scope: Scope, options: { name: string; plan?: string }): Promise<Answer> {
  const tenant = await createTenant(scope, options)
  return one(identity(tenant), `Next, a key: npm run --silent operator -- key create --tenant ${tenant.id}`)
}

async function list(scope: Scope): Promise<Answer> {
  const tenants = await listTenants(scope)
  return many(await withUsage(scope, tenants), 'There are no tenants yet.')
}

async function present(scope: Scope, tenant: Tenant): Promise<Answer> {
  const [row] = await withUsage(scope, [tenant])
  return one(row ?? {})
}

async function withUsage(scope: Scope, tenants: Tenant[]) {
  const usage = await monthlyUsage(
    scope,
    tenants.map(({ id }) => id),
  )
  return tenants.map(tenant => ({
    ...identity(tenant),
    enabled: tenant.enabled,
    usage: usage.get(tenant.id) ?? 0,
  }))
}

function identity({ id, name, plan, subscription }: Tenant) {
  return { tenantId: id, name, plan: plan.name, subscription }
}
