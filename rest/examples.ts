/** Values that all examples of the documents share, so that they tell one story. */

export const exampleVerificationId = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1'
export const exampleTenantId = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b0'
export const exampleCreatedAt = '2026-01-31T11:58:12.431Z'
export const exampleCompletedAt = '2026-01-31T12:00:00.000Z'
export const exampleRevokedAt = '2026-02-03T09:15:30.250Z'

/** Of the form of a token, and signed by nobody. Like a real one, that of a minor or of an unknown age says false. */
export function exampleTokenOf(over18: boolean): string {
  const parts = [{ alg: 'ES256' }, { over18 }].map(part => JSON.stringify(part))
  return [...parts, 'signature'].map(part => Buffer.from(part).toString('base64url')).join('.')
}

export const exampleToken = exampleTokenOf(true)

/** Of a completed verification. */
export const confidenceMeaning =
  'The score that the identity provider gave its decision, whatever the decision is; 1 (`approved`) or 0 (others) where it ' +
  'sends none.'
