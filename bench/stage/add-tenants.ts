import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { definePlan } from '#domain/plan/define-plan.ts'
import type { Scope } from '#domain/scope.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { setWebhookUrl } from '#domain/tenant/set-webhook-url.ts'

export interface BenchTenant {
  tenantId: string
  apiKey: string
}

const plenty = 2_000_000_000
const plan = 'bench'

/** Tenants whose plan never refuses, each with a key and a receiver. */
export async function addTenants(operator: Scope, count: number): Promise<BenchTenant[]> {
  await definePlan(operator, {
    ...{ name: plan, rateLimitPerMinute: plenty, readRateLimitPerMinute: plenty },
    ...{ monthlyQuota: plenty, hardLimit: plenty },
  })
  const tenants: BenchTenant[] = []
  for (let index = 0; index < count; index++) {
    const { id: tenantId } = await createTenant(operator, { name: `Tenant ${index}`, plan })
    await setWebhookUrl(operator, { tenantId, url: 'https://receiver.example/events' })
    const { value: apiKey } = await createApiKey(operator, { tenantId, name: 'bench' })
    tenants.push({ tenantId, apiKey })
  }
  return tenants
}
