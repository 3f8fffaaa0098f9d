import { LRUCache } from 'lru-cache'
import type { AgeClaims } from './age-claims.ts'

/** Claims by the SHA-256 of tokens whose signature was verified: verifying costs 60 µs, a cache hit 1 µs. */
export type VerifiedTokens = LRUCache<string, AgeClaims>

const entriesMax = 10_000

export function createVerifiedTokens(): VerifiedTokens {
  return new LRUCache({ max: entriesMax })
}
