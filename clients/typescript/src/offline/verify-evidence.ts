import { createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { assertText, withoutTrailingSlash } from '../options.ts'
import { readClaims } from './read-claims.ts'
import { type DocumentReason, Rejection } from './rejection.ts'

export interface VerifyEvidenceOptions {
  /** The address of the service when it was signed, and for a test tenant that address and `/test`. */
  issuer: string | undefined
  /** Your tenant id. */
  audience: string | undefined
  /** The service's public keys, as `/.well-known/jwks.json` had them when the evidence was made. */
  jwks: { keys: object[] }
}

/** Counts, without persons. Of several files of a month, the one with the latest `iat` counts. */
export interface EvidenceClaims {
  iss: string
  /** The tenant id. */
  aud: string
  /** When it was signed, in seconds since the epoch. */
  iat: number
  /** `YYYY-MM`, in UTC. */
  month: string
  /** Whether the month was over. */
  complete: boolean
  tenant: { id: string; name: string }
  /** Whether it is a test tenant, whose verifications are simulated. */
  test: boolean
  /** Who is responsible for the service; null if it has not stated it. */
  operator: string | null
  /** `openBefore + started = approved + denied + rejected + submitted + resubmission + erased + openAtEnd`. */
  counts: Record<string, number>
  /** SHA-256 of the practice statement at the end of the month; null if there was none. */
  statement: string | null
  /** All that were in force in the month. */
  statements: { version: number; sha256: string; since: string }[]
  /** How often what was changed; null if that is not known any more. */
  changes: Record<string, number> | null
  /** Signing keys that were reported as compromised in the month; null like `changes`. */
  compromisedKeys: { kid: string; reportedAt: string }[] | null
}

export type EvidenceValidation =
  | { valid: true; reason: 'OK'; claims: EvidenceClaims }
  | { valid: false; reason: Exclude<DocumentReason, 'TOKEN_EXPIRED'>; claims?: undefined }

/** Verifies the evidence of a month, the text of its file, without any request: it never expires. Throws for unusable keys. */
export async function verifyEvidence(
  jws: string,
  { issuer, audience, jwks }: VerifyEvidenceOptions,
): Promise<EvidenceValidation> {
  if (!audience) throw new TypeError('audience is missing: pass your tenant id')
  assertText('audience', audience)
  const iss = withoutTrailingSlash('issuer', issuer)
  if (typeof jws !== 'string') return { valid: false, reason: 'TOKEN_MALFORMED' }
  try {
    const expected = { typ: 'age-evidence+jwt', iss, aud: audience } as const
    const keys = createLocalJWKSet(jwks as JSONWebKeySet)
    const { exp: _, ...claims } = await readClaims(jws, keys, expected, new Date())
    return { valid: true, reason: 'OK', claims: claims as unknown as EvidenceClaims }
  } catch (error) {
    if (!(error instanceof Rejection) || error.reason === 'TOKEN_EXPIRED') throw error
    return { valid: false, reason: error.reason }
  }
}
