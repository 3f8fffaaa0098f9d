import { expect } from 'chai'
import fc from 'fast-check'
import { forTenant } from '#domain/scope.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { anyCharacter } from '../harness/any-character.ts'
import { dayMs } from '../harness/scope.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { createTestClock } from '../harness/test-clock.ts'
import { createTestTenant } from '../harness/test-service.ts'
import { useService, useTenant } from '../harness/use-service.ts'

/** The longest token in ASCII that fits into a body of 64 KiB. */
const longest = 64 * 1024 - '{"token":""}'.length
const notFound = { valid: false, over18: false, reason: 'TOKEN_NOT_FOUND' }

/** Each form of a token: `test/domain/token/test-vectors.test.ts`. */
describe('POST /tokens/validate', () => {
  const clock = createTestClock()
  const service = useService({ clock })
  const tenant = useTenant(service)
  const client = tenantClient(service, tenant)
  // Each test has its own rate limit window.
  beforeEach(() => clock.advance(60_000))

  async function expectResult(token: unknown, expected: object) {
    const { status, body } = await client.validate(token)
    expect(status, JSON.stringify(body)).to.equal(200)
    expect(body).to.deep.equal(expected)
  }

  it('returns one reason, in this order: unknown, revoked, expired, underage or unknown', async () => {
    const verificationId = await client.decided('approve-unknown-age')
    const { token } = (await client.status(verificationId)).body
    const other = tenantClient(service, await createTestTenant(service))
    expect((await other.validate(token)).body).to.deep.equal(notFound)
    await expectResult(token, { valid: false, over18: false, reason: 'UNDERAGE_OR_UNKNOWN' })
    clock.advance(30 * dayMs)
    await expectResult(token, { valid: false, over18: false, reason: 'TOKEN_EXPIRED' })
    await revokeToken(forTenant(service.operator(), tenant.tenantId), { verificationId })
    await expectResult(token, { valid: false, over18: false, reason: 'TOKEN_REVOKED' })
    expect((await other.validate(token)).body).to.deep.equal(notFound)
  })

  it('returns TOKEN_NOT_FOUND for any other text', async () => {
    for (const token of [
      '',
      '..',
      '.'.repeat(longest),
      'x'.repeat(longest),
      '\0'.repeat(8192),
      '\ud800'.repeat(8192),
      '€'.repeat(8192),
      `${base64('null')}.${base64('{}')}.${base64('x')}`,
      `${base64(`{"kid":${'['.repeat(2000)}${']'.repeat(2000)}}`)}.e30.AA`,
      `e30.${base64('['.repeat(49_000)).slice(0, longest - 7)}.AA`,
      `${base64('{"alg":"ES256","crit":["b64"],"b64":false}')}.e30.AA`,
      'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..AAAA.AAAA.AAAA',
    ]) {
      await expectResult(token, notFound)
    }
    const unit = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 400 }), anyCodeUnits, jwtLike)
    await fc.assert(
      fc.asyncProperty(unit, async token => {
        clock.advance(1)
        await expectResult(token, notFound)
      }),
      { numRuns: 50 },
    )
  })
})

/** Any UTF-16, halves of surrogate pairs included. */
const anyCodeUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 300 })
  .map(units => String.fromCharCode(...units))

/** Three parts in base64url, the first of them JSON. */
const jwtLike = fc
  .tuple(fc.json(), fc.json(), fc.uint8Array({ maxLength: 64 }))
  .map(([header, claims, signed]) =>
    [base64(header), base64(claims), Buffer.from(signed).toString('base64url')].join('.'),
  )

function base64(text: string): string {
  return Buffer.from(text).toString('base64url')
}
