import { lineOfText } from '../parameters.ts'

export const apiKeyScopes = ['verifications:write', 'verifications:read', 'tokens:validate'] as const
export type ApiKeyScope = (typeof apiKeyScopes)[number]

/** The two windows that a key has: `write` for start, complete and submit; `read` for the rest. */
export type RateClass = 'write' | 'read'

/** Characters of a key that are kept readable, so that its owner recognises it. */
export const displayStartLength = 12

export const apiKeyName = lineOfText('The name', 100)
