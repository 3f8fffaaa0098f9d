import { useQuery } from '@tanstack/react-query'
import { type Outputs, useTrpc, useTrpcClient } from '../trpc/trpc.ts'

export type ApiKey = Outputs['apiKeys']['get']
export type ApiKeyScope = ApiKey['scopes'][number]

/** Who created a key, as members are shown; undefined where that was not recorded. */
export function creatorName({ createdBy }: Pick<ApiKey, 'createdBy'>): string | undefined {
  if (!createdBy) return undefined
  const { kind, name, subject, isMember } = createdBy
  if (kind === 'operator') return 'Operator'
  return isMember ? (name ?? subject ?? undefined) : `Former member ${subject}`
}

/** Live keys of one tenant, and of those that have ended as many as are listed. */
export const keysMax = 100

/** All live keys, or the newest that were revoked or have expired. Pages are cut by size: it can be several requests. */
export function useApiKeys(state: 'live' | 'ended') {
  const { apiKeys } = useTrpc()
  const client = useTrpcClient()
  return useQuery({
    queryKey: [...apiKeys.list.queryKey({ state }), 'every page'],
    queryFn: async ({ signal }) => {
      const keys: ApiKey[] = []
      let cursor: string | null | undefined
      do {
        const page = await client.apiKeys.list.query({ state, limit: keysMax, cursor }, { signal })
        keys.push(...page.items)
        cursor = page.nextCursor
      } while (cursor && keys.length < keysMax)
      return keys.slice(0, keysMax)
    },
  })
}

/** Why no key can be created; undefined while there is room. */
export function reasonForNoKey(liveKeys: readonly ApiKey[] | undefined): string | undefined {
  if (liveKeys === undefined || liveKeys.length < keysMax) return undefined
  return `This tenant has ${keysMax} active keys, the maximum. Revoke one first, or replace one.`
}

export const scopes: { scope: ApiKeyScope; description: string }[] = [
  { scope: 'verifications:write', description: 'Start verifications, and report that users came back.' },
  { scope: 'verifications:read', description: 'Read the status of verifications.' },
  { scope: 'tokens:validate', description: 'Validate age tokens.' },
]
