import { LRUCache } from 'lru-cache'
import { cacheBriefly } from '../cache-briefly.ts'
import { eachPool } from '../database/each-pool.ts'
import { boolean, int, smallint, text } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import { DomainError } from '../errors.ts'
import type { Scope } from '../scope.ts'
import { type StatusListKey, statusListKey, statusListSize } from '../signing-key/status-list.policy.ts'
import { testPath } from '../tenant/test-tenant.policy.ts'
import { signStatusList } from './sign-status-list.ts'

/**
 * A status list as a signed JWT (draft-ietf-oauth-status-list), by its number. Anyone can ask for it, so each list is built
 * and signed every few seconds at most. Throws `ROUTE_NOT_FOUND` for a number that no token of live tenants, or of test
 * tenants, refers to.
 */
export async function getStatusList(scope: Scope, number: number, { test = false } = {}): Promise<string> {
  const cache = findCaches(scope.pool)[test ? 'test' : 'live']
  const key = statusListKey(number)
  const nowMs = scope.now.getTime()
  if (!cache.lists.has(number) && !isReserved(key, await cache.readReserved(scope, nowMs)))
    throw new DomainError('ROUTE_NOT_FOUND')
  const load =
    cache.lists.get(number) ?? cacheBriefly(statusListCachedMs, by => signStatusList(by, key, test))
  cache.lists.set(number, load)
  return await load(scope, nowMs)
}

/** How long a process may not know of a revocation. */
export const statusListCachedMs = 5_000

/** Of 131,072 tokens each. One takes about a kilobyte, and 30 with the most revoked tokens. */
const cachedListsMax = 1_000

type ListLoader = (scope: Scope, nowMs: number) => Promise<string>

interface StatusListCache {
  /** Those that are known. Tokens refer to them from then on. */
  lists: LRUCache<number, ListLoader>
  /** By signer, how many indexes of its lists are reserved. Concurrent calls share one statement. */
  readReserved: (scope: Scope, nowMs: number) => Promise<Map<number, number>>
}

const findCaches = eachPool(() => ({ live: createCache(false), test: createCache(true) }))

function createCache(test: boolean): StatusListCache {
  return {
    lists: new LRUCache({ max: cachedListsMax }),
    readReserved: cacheBriefly(0, ({ pool }: Scope) => readReserved(pool, test)),
  }
}

async function readReserved(pool: StatementPool, test: boolean): Promise<Map<number, number>> {
  const signers = await findTokenSigners(pool, { test, testIssuers: `%${testPath}` })
  return new Map(signers.map(({ signer, reserved }) => [signer, reserved]))
}

/** Whether tokens can refer to a list. */
function isReserved({ signer, ordinal }: StatusListKey, reserved: Map<number, number>): boolean {
  return ordinal * statusListSize < (reserved.get(signer) ?? 0)
}

export const findTokenSigners = statement({
  name: 'find-token-signers',
  // The key of an old signer may not be stored any more.
  text: `select s.id as signer, s.status_indexes as reserved from token_signer s left join signing_key k on k.kid = s.kid
   where coalesce(k.test, s.issuer like :testIssuers) = :test`,
  values: { test: boolean, testIssuers: text },
  row: { signer: smallint, reserved: int },
})
