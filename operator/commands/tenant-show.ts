import { retentionDaysOf } from '#domain/retention.policy.ts'
import type { TenantOperatorScope } from '#domain/scope.ts'
import { findTenant } from '#domain/tenant/find-tenant.ts'
import type { Tenant } from '#domain/tenant/tenant.entity.ts'
import { type CurrentUsage, currentUsage } from '#domain/usage/current-usage.ts'
import { type Output, record } from '../output.ts'

/** Says why the tenant's requests are rejected: its state, and its usage beside the limits. */
export async function showTenant(scope: TenantOperatorScope): Promise<Output> {
  const tenant = await findTenant(scope)
  const usage = await currentUsage(scope)
  const shown = { ...present(tenant, usage.used), retentionDays: retentionDaysOf(tenant, scope.rules) }
  const json = { ...shown, ...presentLimits(tenant, usage) }
  const text = { ...shown, usage: describeUsage(usage), ...describeRates(tenant) }
  return { ...record(text, explainRejections(tenant, usage).join('\n')), json }
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

const numbers = new Intl.NumberFormat('en-US')
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
