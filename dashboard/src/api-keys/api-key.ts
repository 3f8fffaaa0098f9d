import type { Outputs } from '../trpc/trpc.ts'

export type ApiKey = Outputs['apiKeys']['list']['items'][number]
export type ApiKeyScope = ApiKey['scopes'][number]

export const scopes: { scope: ApiKeyScope; description: string }[] = [
  { scope: 'verifications:write', description: 'Start verifications, and report that users came back.' },
  { scope: 'verifications:read', description: 'Read the status of verifications.' },
  { scope: 'tokens:validate', description: 'Validate age tokens.' },
]
