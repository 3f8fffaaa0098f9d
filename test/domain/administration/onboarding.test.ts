import { expect } from 'chai'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { recordKeyUse } from '#domain/api-key/record-key-use.ts'
import type { OperatorScope } from '#domain/scope.ts'
import { setWebhookUrl } from '#domain/tenant/change-settings.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { getOnboarding } from '#domain/verification/get-onboarding.ts'
import { useFixture } from './fixture.ts'
import { storeVerification } from './history.ts'

describe('The onboarding of a tenant', () => {
  const start = new Date('2026-11-20T12:00:00.000Z')
  const fixture = useFixture()
  let tenantId: string
  beforeEach(async () => {
    fixture.time.now = start
    tenantId = (await createTenant(fixture.operator(), { name: 'Shop' })).id
  })

  const operator = () => fixture.operatorFor(tenantId)
  const onboarding = () => getOnboarding(operator())
  const later = (ms: number) => {
    fixture.time.now = new Date(fixture.time.now.getTime() + ms)
    return fixture.time.now
  }
  const untouched = {
    apiKey: null,
    keyUsedAt: null,
    firstVerification: null,
    firstCompletedAt: null,
    webhookUrlSet: false,
    webhookAcceptedAt: null,
    webhookFailure: null,
  }

  /** Stores one, and counts it as completions are. */
  async function storeCompletion(scope: OperatorScope, of: string, status: 'approved' | 'denied') {
    await scope.em.execute(`insert into usage_day (tenant_id, day, ${status}) values (?, ?, 1)`, [
      of,
      '2026-11-20',
    ])
    await storeVerification(scope, of, status)
  }

  it('has nothing to show in the beginning, whatever other tenants have done', async () => {
    const other = fixture.operatorFor((await createTenant(fixture.operator(), { name: 'Other' })).id)
    const { key } = await createApiKey(other, { name: 'web' })
    await recordKeyUse(other.pool, [{ tenantId: other.actor.tenantId, apiKeyId: key.id, at: start }])
    await storeCompletion(fixture.operator(), other.actor.tenantId, 'approved')
    expect(await onboarding()).to.deep.equal(untouched)
  })

  it('shows what has happened, and the first of each', async () => {
    const { key } = await createApiKey(operator(), { name: 'web' })
    expect(await onboarding()).to.deep.equal({ ...untouched, apiKey: { createdAt: start } })
    await recordKeyUse(operator().pool, [{ tenantId, apiKeyId: key.id, at: start }])
    await setWebhookUrl(operator(), { url: 'https://hooks.example.com/' })
    const startedAt = later(1_000)
    const verificationId = await storeVerification(operator(), tenantId, 'started')
    const expected = {
      apiKey: { createdAt: start },
      keyUsedAt: start,
      firstVerification: { verificationId, status: 'started', createdAt: startedAt },
      firstCompletedAt: null,
      webhookUrlSet: true,
      webhookAcceptedAt: null,
      webhookFailure: null,
    }
    expect(await onboarding()).to.deep.equal(expected)
    const completedAt = later(1_000)
    await storeCompletion(fixture.operator(), tenantId, 'denied')
    later(1_000)
    await storeVerification(operator(), tenantId, 'approved')
    expect(await onboarding()).to.deep.equal({ ...expected, firstCompletedAt: completedAt })
  })
})
