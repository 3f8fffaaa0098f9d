import { expect } from 'chai'
import { decideAdmission, type KeyAccess } from '#domain/api-key/admission.policy.ts'
import type { ErrorCode } from '#domain/error-codes.ts'

const now = new Date('2026-11-20T12:00:00.000Z')
const oneMsLater = new Date('2026-11-20T12:00:00.001Z')
const access: KeyAccess = {
  apiKeyId: '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1',
  tenantId: '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b0',
  scopes: 'tokens:validate',
  expiresAt: null,
  revoked: false,
  enabled: true,
  subscriptionActive: true,
  writeLimit: 60,
  readLimit: 6_000,
}
const decide = (changes: Partial<KeyAccess>) =>
  decideAdmission({ ...access, ...changes }, 'tokens:validate', now)

describe('The admission policy', () => {
  it('admits a key with the scope', () => {
    expect(decide({})).to.equal(undefined)
    expect(decide({ expiresAt: oneMsLater })).to.equal(undefined)
  })

  it('checks revocation, expiry, tenant, scope and subscription in this order', () => {
    const failures: [ErrorCode, Partial<KeyAccess>][] = [
      ['UNAUTHENTICATED_TENANT', { revoked: true }],
      ['UNAUTHENTICATED_TENANT', { expiresAt: now }],
      ['TENANT_INACTIVE', { enabled: false }],
      ['FORBIDDEN', { scopes: 'verifications:read' }],
      ['BILLING_INACTIVE', { subscriptionActive: false }],
    ]
    for (const [at, [code, failure]] of failures.entries()) {
      expect(decide(failure)).to.equal(code)
      const laterFailures = failures.slice(at).map(([, changes]) => changes)
      expect(decide(Object.assign({}, ...laterFailures)), `${code} and all later ones`).to.equal(code)
    }
  })
})
