import { z } from 'zod'
import { ApiKey } from '#domain/api-key/api-key.entity.ts'
import { displayStart } from '#domain/api-key/key-value.ts'
import { readParameter } from '#domain/parameters.ts'
import type { OperatorScope } from '#domain/scope.ts'

/** More keys than can be meant: one in millions of them shares its beginning with another. */
const foundMax = 100

/**
 * The keys of all tenants whose value begins with `prefix`, newest first, 100 at most; among them revoked and expired
 * ones that are still stored. Only the first 12 or 16 characters of a value are stored to be compared, so the value itself is
 * not needed. Throws `INVALID_PARAMETERS` for a prefix that fits every key.
 */
export async function findApiKeys(scope: OperatorScope, { prefix }: { prefix: string }): Promise<ApiKey[]> {
  const start = displayStart(readParameter('prefix', keyPrefix, prefix))
  // Letters, digits and underscores; only the latter would be a wildcard.
  const pattern = `${start.replaceAll('_', '\\_')}%`
  const orderBy = { id: 'desc' } as const
  return await scope.em.find(ApiKey, { displayStart: { $like: pattern } }, { orderBy, limit: foundMax })
}

const keyPrefix = z
  .string()
  .regex(
    /^avk_(test_)?[0-9A-Za-z]{1,49}$/,
    'The prefix must be the beginning of a key: avk_, or avk_test_, and 1 to 49 letters or digits.',
  )
