import { randomUUID } from 'node:crypto'
import { newId } from '#domain/ids.ts'
import type { BenchTenant } from './add-tenants.ts'
import type { Stage } from './open-stage.ts'

export interface AddedVerification {
  id: string
  providerSessionId: string
  tenant: BenchTenant
}

/** Verifications as they are stored after their start, spread over the tenants. */
export async function addVerifications(stage: Stage, count: number): Promise<AddedVerification[]> {
  const { services, tenants } = stage
  const now = new Date()
  const added = Array.from({ length: count }, (_, index) => ({
    id: newId(now),
    providerSessionId: randomUUID(),
    tenant: tenants[index % tenants.length]!,
  }))
  await services.database.pool.query({
    name: '',
    text: `insert into verification (id, tenant_id, status, provider_session_id, created_at, closes_at)
      select id, tenant_id, 'pending', session, now(), now() + interval '8 days'
      from unnest($1::uuid[], $2::uuid[], $3::text[]) as new (id, tenant_id, session)`,
    values: [
      added.map(({ id }) => id),
      added.map(({ tenant }) => tenant.tenantId),
      added.map(({ providerSessionId }) => providerSessionId),
    ],
  })
  return added
}
