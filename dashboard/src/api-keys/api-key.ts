import type { Outputs } from '../console/console.ts'

export type KeyScope = Outputs['apiKeys']['create']['scopes'][number]

/** What each scope lets a key do. */
export const scopes: { scope: KeyScope; allows: string }[] = [
  { scope: 'verifications:write', allows: 'Start verifications and report them submitted.' },
  { scope: 'verifications:read', allows: 'Read the status of verifications.' },
  { scope: 'tokens:validate', allows: 'Validate age tokens.' },
]
