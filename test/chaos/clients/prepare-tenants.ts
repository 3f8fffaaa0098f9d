import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { addMember } from '#domain/member/add-member.ts'
import { forTenant, type OperatorScope } from '#domain/scope.ts'
import { setWebhookUrl } from '#domain/tenant/change-settings.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { definePlan, type PlanDefinition } from '#domain/tenant/define-plan.ts'
import { openOperatorScope } from '#operator/open-scope.ts'
import { eventually } from '../../harness/eventually.ts'
import { noChange, type TenantEntry } from '../judge/ledger.ts'
import type { Run } from '../run.ts'

interface TenantOptions {
  name: string
  plan: 'wide' | 'quota' | 'rate'
  hasReceiver: boolean
}

const tenants: TenantOptions[] = [
  { name: 'with events', plan: 'wide', hasReceiver: true },
  ...['with events, 2', 'with events, 3', 'with events, 4'].map(
    (name): TenantOptions => ({ name, plan: 'wide', hasReceiver: true }),
  ),
  { name: 'without events', plan: 'wide', hasReceiver: false },
  { name: 'with a quota', plan: 'quota', hasReceiver: true },
  { name: 'with a rate limit', plan: 'rate', hasReceiver: false },
  { name: 'disabled at times', plan: 'wide', hasReceiver: false },
]

/** Write requests that the plan `rate` allows in a minute. */
export const ratePerMinute = 20

const unlimited = 1_000_000_000

/** Creates the tenants of a run. One of them may start `quota` verifications a month. */
export async function prepareTenants(run: Run, quota: number): Promise<void> {
  // A proxy that has just started may not know the primary yet.
  const { scope, close } = await eventually(() => openOperatorScope(run.system.operatorEnv))
  try {
    for (const plan of plansWith(quota)) await definePlan(scope, plan)
    for (const options of tenants) run.ledger.tenants.push(await addTenant(run, scope, options, quota))
  } finally {
    await close()
  }
}

function plansWith(quota: number): PlanDefinition[] {
  const rates = { rateLimitPerMinute: unlimited, readRateLimitPerMinute: unlimited }
  const wide = { ...rates, monthlyQuota: unlimited, hardLimit: unlimited }
  return [
    { name: 'wide', ...wide },
    { name: 'quota', ...wide, monthlyQuota: quota, hardLimit: quota },
    { name: 'rate', ...wide, rateLimitPerMinute: ratePerMinute },
  ]
}

async function addTenant(
  run: Run,
  operator: OperatorScope,
  { name, plan, hasReceiver }: TenantOptions,
  quota: number,
): Promise<TenantEntry> {
  const { id: tenantId } = await createTenant(operator, { name, plan })
  const scope = forTenant(operator, tenantId)
  const owner = `owner of ${tenantId}`
  await addMember(scope, { subject: owner, role: 'owner' })
  const { key, value } = await createApiKey(scope, { name: 'main' })
  const receiverPath = hasReceiver ? `/${tenantId}` : undefined
  if (receiverPath) await setWebhookUrl(scope, { url: run.system.receivers.urlOf(receiverPath) })
  return {
    name,
    tenantId,
    owner,
    apiKey: { apiKeyId: key.id, value, revoked: noChange() },
    furtherKeys: [],
    receiverPath,
    rotations: 0,
    startsMax: plan === 'quota' ? quota : undefined,
    enabledChanges: [],
    starts: [],
    changes: { after: undefined, listed: new Map() },
  }
}
