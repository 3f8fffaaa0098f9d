import { expect } from 'chai'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { displayStart, isKeyValue, isTestKey } from '#domain/api-key/key-value.ts'
import { replaceApiKey } from '#domain/api-key/replace-api-key.ts'
import { deleteExpiredVerifications } from '#domain/deletion/delete-expired-verifications.ts'
import { forTenant } from '#domain/scope.ts'
import { publishedKeys } from '#domain/signing-key/published-keys.ts'
import { rotateSigningKey } from '#domain/signing-key/rotate-signing-key.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { getVerificationStatus } from '#domain/verification/get-verification-status.ts'
import { startVerification } from '#domain/verification/start-verification.ts'
import { findApiKeys } from '#operator/queries/find-api-keys.ts'
import { listSigningKeys } from '#operator/queries/list-signing-keys.ts'
import { rejected } from '../administration/rejected.ts'
import { issueToken } from '../token/issue-token.ts'
import { dayMs, useFixture } from '../verification/fixture.ts'

describe('Test tenants', () => {
  const fixture = useFixture()
  let live: string
  let test: string
  before(async () => {
    live = await fixture.addTenant()
    test = await fixture.addTenant({ test: true })
  })

  const operatorFor = (tenantId: string) => forTenant(fixture.operator(), tenantId)
  const kids = async (isTest: boolean) =>
    (await publishedKeys(fixture.service(), isTest)).map(({ kid }) => kid)

  describe('have keys of their own:', () => {
    it('they begin with avk_test_, also replaced ones, and those of live tenants never do', async () => {
      for (const [tenantId, isTest] of [
        [live, false],
        [test, true],
      ] as const) {
        const { key, value } = await createApiKey(operatorFor(tenantId), { name: 'Till' })
        const replaced = await replaceApiKey(operatorFor(tenantId), { apiKeyId: key.id })
        for (const each of [value, replaced.value]) {
          expect(isKeyValue(each)).to.equal(true)
          expect(isTestKey(each)).to.equal(isTest)
          expect(each).to.match(isTest ? /^avk_test_[0-9A-Za-z]{49}$/ : /^avk_[0-9A-Za-z]{49}$/)
          const found = await findApiKeys(fixture.operator(), { prefix: each })
          expect(found.map(({ tenantId }) => tenantId)).to.deep.equal([tenantId])
          expect(found[0]!.displayStart).to.equal(displayStart(each))
        }
      }
    })
  })

  describe('have tokens that nobody can take for real:', () => {
    it('a rotation, and a compromised key, of one kind leaves the other as it is', async () => {
      const before = await kids(false)
      const { kid } = await rotateSigningKey(fixture.operator(), { test: true })
      expect(await kids(true)).to.include(kid)
      expect(await kids(false)).to.deep.equal(before)
      await rejected(rotateSigningKey(fixture.operator(), { compromised: kid }), 'INVALID_PARAMETERS')
      await rejected(
        rotateSigningKey(fixture.operator(), { compromised: before[0]!, test: true }),
        'INVALID_PARAMETERS',
      )
      const listed = await listSigningKeys(fixture.operator())
      expect(listed.find(key => key.kid === kid)!.test).to.equal(true)
      expect(listed.filter(key => !key.test && key.state === 'active')).to.have.length(1)
    })
  })

  it('are refused where the operator allows none, and are all there is where no provider is configured', async () => {
    const create = (testTenants: 'off' | 'only', wanted?: boolean) => {
      const operator = fixture.operator()
      // The unit of work is a getter, which a spread would lose.
      const scope = { ...operator, em: operator.em, rules: { ...operator.rules, testTenants } }
      return createTenant(scope, { name: 'Shop', test: wanted })
    }
    const { message } = await rejected(create('off', true), 'INVALID_PARAMETERS')
    expect(message).to.include('TEST_TENANTS=true')
    expect((await create('off')).test).to.equal(false)
    expect((await create('only')).test).to.equal(true)
  })

  it('have no provider of live ones: where none is configured, a live tenant’s verification is a test one', async () => {
    const scope = fixture.tenant(live)
    const rules = { ...scope.rules, testTenants: 'only' as const }
    const { verificationId } = await startVerification(
      { ...scope, em: scope.em, rules, provider: undefined },
      {},
    )
    const marked = await fixture.rows('select test from verification where id = $1', [verificationId])
    expect(marked).to.deep.equal([{ test: true }])
    await startVerification(scope, {})
    const without = { ...scope, em: scope.em, provider: undefined }
    const failed = await rejected(startVerification(without, {}), 'INTERNAL_ERROR')
    expect(failed.details).to.deep.equal({ dependency: 'identity_provider' })
  })

  it('have data that lives 30 days; that of live tenants stays', async () => {
    const tenantId = await fixture.addTenant({ test: true })
    const [old, real] = [await issueToken(fixture, tenantId, true), await issueToken(fixture, live, true)]
    await deleteAll()
    fixture.clock.advance(30 * dayMs - 1_000)
    const young = await issueToken(fixture, tenantId, true)
    expect(await deleteAll()).to.equal(0)
    fixture.clock.advance(1_001)
    expect(await deleteAll()).to.be.greaterThan(0)
    await rejected(
      getVerificationStatus(fixture.tenant(tenantId), old.verificationId),
      'VERIFICATION_NOT_FOUND',
    )
    await getVerificationStatus(fixture.tenant(tenantId), young.verificationId)
    await getVerificationStatus(fixture.tenant(live), real.verificationId)
  })

  async function deleteAll(): Promise<number> {
    let deleted = 0
    for (let batch = -1; batch !== 0; deleted += batch)
      batch = await deleteExpiredVerifications(fixture.service())
    return deleted
  }
})
