import { firstIdAt } from '#domain/ids.ts'
import { type AnyOperatorScope, boundTenant, forTenant } from '#domain/scope.ts'
import { findTenant } from '#domain/tenant/find-tenant.ts'
import { OpenVerification } from '#domain/verification/open-verification.entity.ts'
import type { PolledVerification } from '#domain/verification/poll-verification.ts'
import { Verification } from '#domain/verification/verification.entity.ts'

/** When verifications were created; by default at any time. */
export interface CreationPeriod {
  from?: Date | undefined
  to?: Date | undefined
}

/**
 * Verifications that are not completed, of all tenants or of one, page by page, newest first, with their sessions at the
 * provider. A page is read when it is asked for.
 */
export async function* findUndecided(
  scope: AnyOperatorScope,
  { from, to }: CreationPeriod,
  pageSize: number,
): AsyncGenerator<PolledVerification[]> {
  let before = to && firstIdAt(to)
  for (;;) {
    const open = await scope.em.find(OpenVerification, select(scope, from, before), {
      orderBy: { verificationId: 'desc' },
      limit: pageSize,
      disableIdentityMap: true,
    })
    if (open.length === 0) return
    const ids = open.map(({ verificationId }) => verificationId)
    const options = { fields: ['test', 'providerSessionId'], disableIdentityMap: true } as const
    const found = await scope.em.find(Verification, { id: { $in: ids } }, options)
    yield found.map(({ id: verificationId, test, providerSessionId }) => ({
      verificationId,
      test,
      providerSessionId,
    }))
    before = ids.at(-1)
  }
}

/** Throws `INVALID_PARAMETERS` for an unknown tenant. */
export async function countUndecided(scope: AnyOperatorScope, { from, to }: CreationPeriod): Promise<number> {
  const tenantId = boundTenant(scope)
  if (tenantId) await findTenant(forTenant(scope, tenantId))
  return await scope.em.count(OpenVerification, select(scope, from, to && firstIdAt(to)))
}

function select(scope: AnyOperatorScope, from: Date | undefined, before: string | undefined) {
  const tenantId = boundTenant(scope)
  return {
    ...(tenantId ? { tenantId } : {}),
    verificationId: { ...(from ? { $gte: firstIdAt(from) } : {}), ...(before ? { $lt: before } : {}) },
  }
}
