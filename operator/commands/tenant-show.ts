import { type LimitedKey, listLimitedKeys } from '#domain/api-key/list-key-usage.ts'
import { retentionDaysOf } from '#domain/retention.policy.ts'
import type { TenantOperatorScope } from '#domain/scope.ts'
import { findTenant } from '#domain/tenant/find-tenant.ts'
import type { Tenant } from '#domain/tenant/tenant.entity.ts'
import { type CurrentUsage, currentUsage } from '#domain/usage/current-usage.ts'
import { addDays, dayOf } from '#domain/usage/usage-period.ts'
import { list, type Output, record, sections } from '../output.ts'

/** Says why the tenant's requests are rejected: its state, its usage beside the limits, and its keys that got 429. */
export async function showTenant(scope: TenantOperatorScope): Promise<Output> {
  const tenant = await findTenant(scope)
  const usage = await currentUsage(scope)
  // Requests are counted by UTC day. With yesterday there is always a whole one.
  const from = addDays(dayOf(scope.now), -1)
  const limitedKeys = (await listLimitedKeys(scope, { from })).map(presentKey)
  const shown = { ...present(tenant, usage.used), retentionDays: retentionDaysOf(tenant, scope.rules) }
  const json = { ...shown, ...presentLimits(tenant, usage), limitedSince: new Date(from), limitedKeys }
  const text = { ...shown, usage: describeUsage(usage), ...describeRates(tenant) }
  return sections(json, [
    record(
      text,
      [...explainRejections(tenant, usage), ...explainLimited(usage, limitedKeys, from)].join('\n'),
    ),
    list(limitedKeys, `No request got 429 since ${from} (UTC).`),
  ])
}

export function present(tenant: Tenant, usage: number) {
  return { ...identity(tenant), enabled: tenant.enabled, usage }
}

export function identity({ id, name, plan, subscription, test }: Tenant) {
  return { tenantId: id, name, plan: plan.name, subscription, test }
}

function presentLimits({ plan }: Tenant, { monthlyQuota, hardLimit, overage, resetsAt }: CurrentUsage) {
  const { rateLimitPerMinute, readRateLimitPerMinute } = plan
  return { monthlyQuota, hardLimit, overage, resetsAt, rateLimitPerMinute, readRateLimitPerMinute }
}

function presentKey({ key, requests, rateLimited }: LimitedKey) {
  const { id: apiKeyId, name, displayStart } = key
  return { apiKeyId, name, displayStart, requests, rateLimited }
}

function describeUsage({ used, monthlyQuota, hardLimit, overage, resetsAt }: CurrentUsage): string {
  const hard = numbers.format(hardLimit)
  const beyond = overage ? `, with overage up to ${hard}` : ` (hard limit ${hard})`
  return `${numbers.format(used)} of ${numbers.format(monthlyQuota)}${beyond}, resets ${days.format(resetsAt)}`
}

function describeRates({ plan }: Tenant) {
  return {
    rateLimitPerMinute: `${numbers.format(plan.rateLimitPerMinute)} for each key: start, complete, submit`,
    readRateLimitPerMinute: `${numbers.format(plan.readRateLimitPerMinute)} for each key: other endpoints`,
  }
}

/** A line for each reason why requests are rejected now, with the command that ends it. */
function explainRejections(
  { id, enabled, subscription }: Tenant,
  { reached, resetsAt }: CurrentUsage,
): string[] {
  const command = (verb: string) => `operator tenant ${verb} --tenant ${id}`
  const lines = [
    !enabled && `Each request gets 401 TENANT_INACTIVE: ${command('enable')}`,
    subscription === 'inactive' &&
      `Each request gets 402 BILLING_INACTIVE: ${command('set-subscription')} --state active`,
    reached &&
      `Each start gets 429 ${reached} until ${days.format(resetsAt)}: ${command('set-plan')} --plan LARGER`,
  ]
  return lines.filter(line => typeof line === 'string')
}

/** What stands above the keys, if there are some. */
function explainLimited({ reached }: CurrentUsage, limitedKeys: readonly unknown[], from: string): string[] {
  if (limitedKeys.length === 0) return []
  return [
    `${reached ? 'Any other 429' : '429'} is RATE_LIMIT_EXCEEDED: a key sent more in a minute than the plan allows.`,
    `Requests that got 429 since ${from} (UTC), by key:`,
  ]
}

const numbers = new Intl.NumberFormat('en-US')
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
