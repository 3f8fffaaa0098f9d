import { expect } from 'chai'
import fc from 'fast-check'
import { type CryptoKey, SignJWT } from 'jose'
import { forTenant } from '#domain/scope.ts'
import { rotateSigningKey } from '#domain/signing-key/rotate-signing-key.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { type TokenValidation, validateToken } from '#domain/token/validate-token.ts'
import { getVerificationStatus } from '#domain/verification/get-verification-status.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { storedTokens } from '../../harness/stored-rows.ts'
import { dayMs, type Process, useFixture } from '../verification/fixture.ts'
import { startOne } from '../verification/start-one.ts'
import { type Issued, issueToken, readToken } from './issue-token.ts'

const ok: TokenValidation = { valid: true, over18: true, reason: 'OK' }
const bad = (reason: TokenValidation['reason']): TokenValidation => ({ valid: false, over18: false, reason })

describe('An age token', () => {
  const fixture = useFixture()
  let tenantId: string
  before(async () => {
    tenantId = await fixture.addTenant()
  })
  const validate = (token: string, by: Process = fixture) => validateToken(by.tenant(tenantId), token)

  it('has the agreed claims and no personal data', async () => {
    fixture.clock.set(new Date('2026-11-20T12:00:00.789Z'))
    const { token, verificationId } = await issueToken(fixture, tenantId, true)
    const { header, claims } = readToken(token)
    const [key] = await fixture.rows<{ kid: string }>('select kid from signing_key where retired_at is null')
    expect(header).to.deep.equal({ alg: 'ES256', typ: 'JWT', kid: key?.kid })
    const iat = Date.parse('2026-11-20T12:00:00Z') / 1000
    const [stored] = await fixture.rows<{ jti: string; idx: number; issuedAt: number; expiresAt: number }>(
      `select jti, status_index as idx, extract(epoch from issued_at)::int as "issuedAt", extract(epoch from expires_at)::int as "expiresAt"
       from ${storedTokens} t where verification_id = $1`,
      [verificationId],
    )
    expect(claims).to.deep.equal({
      iss: 'https://age.example.com',
      sub: verificationId,
      aud: tenantId,
      jti: stored?.jti,
      iat,
      exp: iat + 30 * 86_400,
      auth_time: iat,
      over18: true,
      status: {
        status_list: { idx: stored?.idx, uri: 'https://age.example.com/tokens/status-lists/1' },
      },
    })
    expect(stored).to.include({ issuedAt: iat, expiresAt: iat + 30 * 86_400 })
  })

  it('says in auth_time when the provider decided: not before the session, and not later than it was issued', async () => {
    const startedAt = fixture.clock().getTime()
    const ages: [decidedAfterMs: number | null, authTimeMs: number][] = [
      [10_000, 10_000],
      [-86_400_000, 0],
      [86_400_000, 60_000],
      [null, 60_000],
    ]
    for (const [afterMs, expectedMs] of ages) {
      fixture.clock.set(new Date(startedAt))
      const one = await startOne(fixture, tenantId)
      fixture.clock.advance(60_000)
      const decidedAt = afterMs === null ? null : new Date(startedAt + afterMs)
      await recordProviderResult(fixture.service(), one.result('approved', { over18: true, decidedAt }))
      const { token } = await getVerificationStatus(fixture.tenant(tenantId), one.verificationId)
      expect(readToken(token!).claims.auth_time).to.equal(Math.floor((startedAt + expectedMs) / 1000))
      expect((await validate(token!)).reason).to.equal('OK')
    }
  })

  it('is valid in every process exactly while the status says 18 or over, and its revocation keeps its time, whatever happens', async function () {
    this.timeout(60_000)
    const other = await fixture.openProcess()
    const events: Record<string, (issued: Issued) => Promise<unknown>> = {
      revoke: ({ verificationId }) =>
        revokeToken(forTenant(fixture.operator(), tenantId), { verificationId }),
      decline: ({ one }) =>
        recordProviderResult(fixture.service(), one.result('declined', { decidedAt: fixture.clock() })),
      compromise: ({ token }) =>
        rotateSigningKey(fixture.operator(), { compromised: readToken(token).header.kid }),
      rotate: () => rotateSigningKey(fixture.operator()),
    }
    const age = fc.constantFrom(true, false, null)
    const histories = fc.array(fc.constantFrom(...Object.keys(events)), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(age, histories, async (over18, history) => {
        const issued = await issueToken(fixture, tenantId, over18)
        let revokedAt: Date | null = null
        for (const event of ['issue', ...history]) {
          fixture.clock.advance(1_000)
          await events[event]?.(issued)
          if (!['issue', 'rotate'].includes(event)) revokedAt ??= fixture.clock()
          const report = await getVerificationStatus(fixture.tenant(tenantId), issued.verificationId)
          const reason = revokedAt ? 'TOKEN_REVOKED' : over18 ? 'OK' : 'UNDERAGE_OR_UNKNOWN'
          const result = reason === 'OK' ? ok : bad(reason)
          const results = await Promise.all([fixture, other].map(by => validate(issued.token, by)))
          expect(results).to.deep.equal([result, result])
          expect(report).to.deep.include({ status: 'approved', tokenRevokedAt: revokedAt })
          expect(report.over18).to.equal(revokedAt ? null : over18)
          expect(report.token).to.equal(revokedAt ? null : issued.token)
        }
      }),
      { numRuns: 30 },
    )
  })

  it('is not found if the signing key signed other claims, as whoever has a leaked one can, or the same again', async () => {
    const { token } = await issueToken(fixture, tenantId, false)
    const { header, claims } = readToken(token)
    const signer = await signingKey(header.kid)
    const inTenYears = Number(claims.exp) + 10 * 365 * 86_400
    const changes: Record<string, unknown>[] = [
      { over18: true },
      { exp: inTenYears },
      { over18: true, exp: inTenYears },
      { jti: '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1' },
      { jti: 'none' },
      { aud: 'none' },
      { over18: 'true' },
      { exp: 'never' },
      {},
    ]
    for (const payload of [...changes.map(changed => ({ ...claims, ...changed })), {}]) {
      const forged = await new SignJWT(payload).setProtectedHeader(header).sign(signer)
      expect(await validate(forged)).to.deep.equal(bad('TOKEN_NOT_FOUND'))
    }
    expect(await validate(token)).to.deep.equal(bad('UNDERAGE_OR_UNKNOWN'))
  })

  it('is made again from its row byte for byte, so nothing is valid for a row that says otherwise', async () => {
    const { token, verificationId } = await issueToken(fixture, tenantId, true)
    const stored = (assignment: string) =>
      fixture.rows(`update verification set ${assignment} where id = $1`, [verificationId])
    for (const assignment of [
      'over18 = false',
      "completed_at = completed_at - interval '1 second'",
      `token_id = '${verificationId}'`,
      'token_signature = sha256(token_signature) || sha256(token_signature)',
      'token_status_index = (token_status_index + 1) % 131072',
      'token_id = null, token_signer = null, token_status_index = null, token_signature = null',
    ]) {
      expect(await validate(token)).to.deep.equal(ok)
      const [row] = await fixture.rows<Record<string, unknown>>(
        `select over18, completed_at, token_id, token_signer, token_status_index, token_signature
         from verification where id = $1`,
        [verificationId],
      )
      await stored(assignment)
      expect(await validate(token), assignment).to.deep.equal(bad('TOKEN_NOT_FOUND'))
      await fixture.rows(
        `update verification set over18 = $2, completed_at = $3, token_id = $4, token_signer = $5,
           token_status_index = $6, token_signature = $7 where id = $1`,
        [verificationId, ...Object.values(row!)],
      )
    }
  })

  it('keeps the issuer and the lifetime that it was issued with', async () => {
    fixture.clock.set(new Date('2026-11-20T12:00:00.000Z'))
    const { token, verificationId } = await issueToken(fixture, tenantId, true)
    const moved = fixture.tenant(tenantId)
    Object.assign(moved, {
      rules: { ...moved.rules, baseUrl: 'https://new.example.com', tokenLifetimeMs: dayMs },
    })
    expect((await getVerificationStatus(moved, verificationId)).token).to.equal(token)
    expect(await validateToken(moved, token)).to.deep.equal(ok)
    const one = await startOne(fixture, tenantId)
    const service = Object.assign(fixture.service(), { rules: moved.rules })
    await recordProviderResult(service, one.result('approved', { over18: true }))
    const report = await getVerificationStatus(fixture.tenant(tenantId), one.verificationId)
    const { claims } = readToken(report.token!)
    expect(claims).to.include({ iss: 'https://new.example.com' })
    expect(Number(claims.exp) - Number(claims.iat)).to.equal(86_400)
    expect(await validate(report.token!)).to.deep.equal(ok)
  })

  it('is never valid with any change to its text', async () => {
    const minor = await issueToken(fixture, tenantId, false)
    const adult = await issueToken(fixture, tenantId, true)
    const [minorParts, adultParts] = [minor.token.split('.'), adult.token.split('.')]
    const mixed = fc
      .tuple(...[0, 1, 2].map(index => fc.constantFrom(minorParts[index]!, adultParts[index]!)))
      .map(parts => parts.join('.'))
    const edited = fc
      .record({ at: fc.nat(), remove: fc.nat(3), insert: fc.base64String({ maxLength: 4 }) })
      .map(({ at, remove, insert }) => {
        const from = at % minor.token.length
        return minor.token.slice(0, from) + insert + minor.token.slice(from + remove)
      })
    await fc.assert(
      fc.asyncProperty(fc.oneof(mixed, edited), async text => {
        const response = await validate(text)
        if (response.valid) expect(text).to.equal(adult.token)
        else expect(response.reason).to.be.oneOf(['TOKEN_NOT_FOUND', 'UNDERAGE_OR_UNKNOWN'])
        expect(response.valid === response.over18 && response.valid === (response.reason === 'OK')).to.equal(
          true,
        )
      }),
      { numRuns: 400 },
    )
  })

  it('stays valid after a rotation of the signing key, even in a process that never used the old key', async () => {
    const { token } = await issueToken(fixture, tenantId, true)
    await rotateSigningKey(fixture.operator())
    expect(await validate(token, await fixture.openProcess())).to.deep.equal(ok)
  })

  /** Of the tokens that are issued now. */
  async function signingKey(kid: string): Promise<CryptoKey> {
    const { keyRing, rules } = fixture.service()
    const lifetimeSeconds = rules.tokenLifetimeMs / 1000
    return (await keyRing.signer({ kid, issuer: rules.baseUrl, lifetimeSeconds }))!.key
  }
})
