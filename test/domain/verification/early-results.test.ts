import { expect } from 'chai'
import { providerOutcomes } from '#domain/provider-result.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { startVerification } from '#domain/verification/start-verification.ts'
import { useFixture } from './fixture.ts'
import { providerResult, unavailable } from './scripted-provider.ts'

describe('A result that arrives before its start is stored', () => {
  const fixture = useFixture('test')

  for (const outcome of providerOutcomes) {
    it(`is not acknowledged, and is applied when it is repeated: ${outcome}`, async () => {
      const tenantId = await fixture.addTenant()
      let early: unknown
      fixture.provider.before = async () => {
        const ids = { vendorData: fixture.provider.created.at(-1)!, providerSessionId: 'a' }
        early = await recordProviderResult(fixture.service(), providerResult(outcome, ids)).catch(
          error => error,
        )
      }
      const { verificationId, sessionUrl } = await startVerification(fixture.tenant(tenantId), {})
      expect(early).to.include({ name: 'DomainError', code: 'INTERNAL_ERROR' })
      expect((early as Error).message).to.match(/Send the result again/)
      const providerSessionId = sessionUrl.slice(sessionUrl.lastIndexOf('/') + 1)
      const repeated = providerResult(outcome, { vendorData: verificationId, providerSessionId })
      expect(await recordProviderResult(fixture.service(), repeated)).to.equal('applied')
    })
  }

  it('is unmatched once the start has failed', async () => {
    const tenantId = await fixture.addTenant()
    fixture.provider.before = unavailable
    await startVerification(fixture.tenant(tenantId), {}).catch(() => {})
    const ids = { vendorData: fixture.provider.created[0]!, providerSessionId: 'a' }
    expect(await recordProviderResult(fixture.service(), providerResult('approved', ids))).to.equal(
      'unmatched',
    )
  })
})
