import { startsTest } from '#domain/tenant/test-tenant.policy.ts'
import { getVerificationStatus } from '#domain/verification/get-verification-status.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import type { Fixture, Process } from '../verification/fixture.ts'
import { type OneVerification, startOne } from '../verification/start-one.ts'

export interface Issued {
  one: OneVerification
  verificationId: string
  token: string
}

/** The token of a verification that the provider has approved, in this process or another. */
export async function issueToken(
  fixture: Fixture,
  tenantId: string,
  over18: boolean | null,
  by: Process = fixture,
): Promise<Issued> {
  const one = await startOne(fixture, tenantId)
  const test = startsTest(fixture.tenant(tenantId))
  await recordProviderResult(by.service(), one.result('approved', { over18 }), { test })
  const { token } = await getVerificationStatus(fixture.tenant(tenantId), one.verificationId)
  if (token === null) throw new Error('no token was issued')
  return { one, verificationId: one.verificationId, token }
}

/** What anyone can read in a token, unchecked. */
export function readToken(token: string): {
  header: { kid: string; alg: string }
  claims: Record<string, unknown>
} {
  const [header, claims] = token
    .split('.')
    .slice(0, 2)
    .map(part => JSON.parse(Buffer.from(part, 'base64url').toString('utf8')))
  return { header, claims }
}
