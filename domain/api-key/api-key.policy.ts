export const apiKeyScopes = ['verifications:write', 'verifications:read', 'tokens:validate'] as const
export type ApiKeyScope = (typeof apiKeyScopes)[number]

/** The two windows that a key has: `write` for start, complete and submit; `read` for the rest. */
export type RateClass = 'write' | 'read'

/** Characters of a key that are kept readable, so that its owner recognises it. */
export const displayStartLength = 12
