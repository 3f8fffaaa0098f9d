import type { Outputs } from '../trpc/trpc.ts'

export type ApiKey = Outputs['apiKeys']['list']['items'][number]
export type ApiKeyScope = ApiKey['scopes'][number]

/** Who created a key, as members are shown; undefined where that was not recorded. */
export function creatorName({ createdBy }: Pick<ApiKey, 'createdBy'>): string | undefined {
  if (!createdBy) return undefined
  const { kind, name, subject, isMember } = createdBy
  if (kind === 'operator') return 'Operator'
  return isMember ? (name ?? subject ?? undefined) : `Former member ${subject}`
}

/** Live keys of one tenant. */
export const liveKeysMax = 100

/** Why no key can be created; undefined while there is room. */
export function reasonForNoKey(liveKeys: readonly ApiKey[] | undefined): string | undefined {
  if (liveKeys === undefined || liveKeys.length < liveKeysMax) return undefined
  return `This tenant has ${liveKeysMax} active keys, the maximum. Revoke one first, or replace one.`
}

export const scopes: { scope: ApiKeyScope; description: string }[] = [
  { scope: 'verifications:write', description: 'Start verifications, and report that users came back.' },
  { scope: 'verifications:read', description: 'Read the status of verifications.' },
  { scope: 'tokens:validate', description: 'Validate age tokens.' },
]
