import { type TenantScope, whileIdle } from './scope.ts'

/** The end of the latest read of each tenant. */
const latest = new Map<string, Promise<void>>()

/**
 * Does a read that takes long where a tenant has much: in each process, those of a tenant follow each other, so that however
 * many it asks for, the others share the database with one of them. A request that waits for its turn holds no place.
 */
export async function inTurn<Result>(scope: TenantScope, read: () => Promise<Result>): Promise<Result> {
  const { tenantId } = scope.actor
  const before = latest.get(tenantId)
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  latest.set(tenantId, ended)
  try {
    if (before) await whileIdle(scope.request, () => before)
    return await read()
  } finally {
    if (latest.get(tenantId) === ended) latest.delete(tenantId)
    end()
  }
}
