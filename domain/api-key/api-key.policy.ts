import { lineOfText } from '../parameters.ts'

export const apiKeyScopes = ['verifications:write', 'verifications:read', 'tokens:validate'] as const
export type ApiKeyScope = (typeof apiKeyScopes)[number]

/** Characters of a key that are kept readable, so that its owner recognises it. */
export const displayStartLength = 12

export const apiKeyName = lineOfText('The name', 100)
