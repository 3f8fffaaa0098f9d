import { expect } from 'chai'
import { type EvidenceClaims, verifyEvidence } from '#clients/typescript/src/offline/token-verifier.ts'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { monthlyEvidence } from '#domain/evidence/monthly-evidence.ts'
import { recordStatement } from '#domain/practice-statement/record-statement.ts'
import { forTenant } from '#domain/scope.ts'
import { publishedKeys } from '#domain/signing-key/published-keys.ts'
import { renameTenant } from '#domain/tenant/change-settings.ts'
import { revealWebhookSecret } from '#domain/tenant/rotate-webhook-secret.ts'
import { validateToken } from '#domain/token/validate-token.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { rejected } from '../administration/rejected.ts'
import { issueToken, readToken } from '../token/issue-token.ts'
import { dayMs, minuteMs, useFixture } from '../verification/fixture.ts'
import { startOne } from '../verification/start-one.ts'

const issuer = 'https://age.example.com'

describe('The evidence of a month', () => {
  const fixture = useFixture('test')
  let tenantId: string
  beforeEach(async () => {
    tenantId = await fixture.addTenant()
  })

  const operator = () => forTenant(fixture.operator(), tenantId)
  const signedOf = (month = '2026-11') => monthlyEvidence(operator(), { month })
  const evidenceOf = async (month?: string) =>
    readToken(await signedOf(month)).claims as unknown as EvidenceClaims
  const jwksNow = async () => ({ keys: await publishedKeys(fixture.service(), false) })

  it('counts results and ages, and what was changed, by a signature that needs public keys only', async () => {
    for (const over18 of [true, true, false, null]) await issueToken(fixture, tenantId, over18)
    const slow = await startOne(fixture, tenantId)
    fixture.clock.advance(3 * minuteMs)
    await recordProviderResult(fixture.service(), slow.result('declined'))
    await startOne(fixture, tenantId)
    await renameTenant(operator(), { name: 'Shop' })
    await revealWebhookSecret(operator())
    await issueToken(fixture, await fixture.addTenant(), true)
    const kept = { issuer, audience: tenantId, jwks: await jwksNow() }
    const { valid, claims } = await verifyEvidence(await signedOf(), kept)
    expect(valid).to.equal(true)
    const { counts, ...others } = claims!
    expect(counts).to.include({ started: 6, approved: 4, denied: 1, over18: 2, openAtEnd: 1 })
    expect(others).to.deep.equal({
      iss: issuer,
      aud: tenantId,
      iat: Math.floor(fixture.clock().getTime() / 1000),
      month: '2026-11',
      complete: false,
      tenant: { id: tenantId, name: 'Shop' },
      test: false,
      operator: null,
      statement: null,
      statements: [],
      changes: { 'settings.set_webhook_url': 1, 'tenant.create': 1, 'tenant.rename': 1 },
      compromisedKeys: [],
    })
  })

  it('has the practice statement at the end of the month, and all that were in force in it', async () => {
    const publish = (text: string) => recordStatement(fixture.service(), text)
    await publish('{"a":1}')
    fixture.clock.advance(dayMs)
    await publish('{"a":2}')
    fixture.clock.set(new Date('2026-12-05T00:00:00.000Z'))
    await publish('{"a":3}')
    const [november, december] = [await evidenceOf('2026-11'), await evidenceOf('2026-12')]
    const versions = ({ statements }: typeof november) => statements.map(({ version }) => version)
    expect([versions(november), versions(december)]).to.deep.equal([
      [1, 2],
      [2, 3],
    ])
    expect(november.statement)
      .to.equal(november.statements[1]!.sha256)
      .and.to.match(/^[0-9a-f]{64}$/)
    expect(december.statement).to.equal(december.statements[1]!.sha256)
    expect(november.statements[0]!.since).to.equal('2026-11-20T12:00:00.000Z')
  })

  it('is no age token', async () => {
    expect(await validateToken(fixture.tenant(tenantId), await signedOf())).to.deep.equal({
      valid: false,
      over18: false,
      reason: 'TOKEN_NOT_FOUND',
    })
  })

  it('is refused for what is no month, for one to come, and before the tenant existed', async () => {
    const invalid: [month: string, message: RegExp][] = [
      ['2026-13', /written as YYYY-MM/],
      ['2026-1', /written as YYYY-MM/],
      ['2026-11-01', /written as YYYY-MM/],
      ['2026-12', /has not begun yet/],
      ['2026-10', /exists since 2026-11/],
    ]
    for (const [month, message] of invalid) {
      const error = await rejected(evidenceOf(month), 'INVALID_PARAMETERS')
      expect(error.message).to.match(message)
      expect(error.details).to.have.nested.property('issues[0].path', 'month')
    }
  })

  it('says that changes are not known where the audit log has ended', async () => {
    await createApiKey(operator(), { name: 'web' })
    fixture.clock.set(new Date('2028-12-15T00:00:00.000Z'))
    expect(await evidenceOf('2026-11')).to.include({ changes: null, compromisedKeys: null })
    expect((await evidenceOf('2027-01')).changes).to.deep.equal({})
  })
})
