import { expect } from 'chai'
import { listAuditEvents } from '#domain/audit/list-audit-events.ts'
import { setWebhookUrl } from '#domain/tenant/change-settings.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { getSettings } from '#domain/tenant/get-settings.ts'
import { revealWebhookSecret, rotateWebhookSecret } from '#domain/tenant/rotate-webhook-secret.ts'
import { WebhookSecret } from '#domain/tenant/webhook-secret.entity.ts'
import { acceptableSecrets, deleteRotatedSecrets } from '#domain/tenant/webhook-secrets.ts'
import { hourMs, useFixture } from './fixture.ts'
import { rejected } from './rejected.ts'

const url = 'https://shop.example.com/hook?key=secret-in-query'

describe('a tenant’s settings', () => {
  const fixture = useFixture()
  let tenantId: string
  const operator = () => fixture.operatorFor(tenantId)
  beforeEach(async () => {
    fixture.time.now = new Date('2026-11-20T12:00:00.000Z')
    tenantId = (await createTenant(fixture.operator(), { name: 'Shop' })).id
  })

  const hoursLater = (hours: number) => {
    fixture.time.now = new Date(fixture.time.now.getTime() + hours * hourMs)
  }
  const rotate = () => rotateWebhookSecret(operator())
  const secrets = () => acceptableSecrets(operator())

  it('include a secret from the first webhook URL on, which survives changes and removal of the URL', async () => {
    const settings = await setWebhookUrl(operator(), { url })
    expect(settings).to.include({ webhookUrl: url, hasWebhookSecret: true, previousSecretValidUntil: null })
    const [secret] = await secrets()
    expect(secret).to.match(/^whsec_[A-Za-z0-9_-]{43}$/)
    await setWebhookUrl(operator(), { url: 'https://other.example.com/' })
    const cleared = await setWebhookUrl(operator(), { url: null })
    expect(cleared).to.include({ webhookUrl: null, hasWebhookSecret: true })
    expect(await secrets()).to.deep.equal([secret])
  })

  it('store secrets encrypted', async () => {
    await setWebhookUrl(operator(), { url })
    const { webhookSecret } = await revealWebhookSecret(operator())
    const stored = await fixture.operator().em.findOneOrFail(WebhookSecret, { tenantId })
    expect(Buffer.from(stored.encryptedSecret).toString('latin1')).not.to.include(webhookSecret.slice(6))
  })

  it('reject a webhook URL that is not public, and stay unchanged', async () => {
    for (const url of ['http://shop.example.com/', 'https://10.0.0.1/', 'shop', '']) {
      const { details } = await rejected(setWebhookUrl(operator(), { url }), 'INVALID_PARAMETERS')
      expect(details?.issues?.[0]?.path).to.equal('url')
    }
    const unchanged = { webhookUrl: null, hasWebhookSecret: false }
    expect(await getSettings(operator())).to.include(unchanged)
  })

  it('keep the previous secret valid for exactly 24 hours after a rotation', async () => {
    await setWebhookUrl(operator(), { url })
    const [old] = await secrets()
    const rotated = await rotate()
    const until = new Date(fixture.time.now.getTime() + 24 * hourMs)
    expect(rotated.previousValidUntil).to.deep.equal(until)
    expect(await secrets()).to.deep.equal([rotated.webhookSecret, old])
    expect(await getSettings(operator())).to.include({ hasWebhookSecret: true })
    expect((await getSettings(operator())).previousSecretValidUntil).to.deep.equal(until)
    hoursLater(24)
    expect(await secrets()).to.deep.equal([rotated.webhookSecret])
    expect(await revealWebhookSecret(operator())).to.deep.equal({
      webhookSecret: rotated.webhookSecret,
      previousValidUntil: null,
    })
  })

  it('keep at most three secrets, newest first, and drop the oldest when a fourth is created', async () => {
    await setWebhookUrl(operator(), { url })
    const [first] = await secrets()
    const second = (await rotate()).webhookSecret
    hoursLater(1)
    const third = (await rotate()).webhookSecret
    expect(await secrets()).to.deep.equal([third, second, first])
    const fourth = (await rotate()).webhookSecret
    expect(await secrets()).to.deep.equal([fourth, third, second])
    hoursLater(23)
    expect(await secrets()).to.deep.equal([fourth, third, second])
    hoursLater(1)
    expect(await secrets()).to.deep.equal([fourth])
  })

  it('apply concurrent rotations one after the other', async () => {
    await setWebhookUrl(operator(), { url })
    const [old] = await secrets()
    const rotated = (await Promise.all([rotate(), rotate()])).map(result => result.webhookSecret)
    const [newest, middle, oldest] = await secrets()
    expect([newest, middle]).to.have.members(rotated)
    expect(oldest).to.equal(old)
    const current = await fixture.operator().em.count(WebhookSecret, { tenantId, expiresAt: null })
    expect(current).to.equal(1)
    expect((await revealWebhookSecret(operator())).webhookSecret).to.equal(newest)
  })

  it('lose only expired secrets to the clean-up task', async () => {
    await setWebhookUrl(operator(), { url })
    await rotate()
    const kept = () => fixture.operator().em.count(WebhookSecret, { tenantId })
    await deleteRotatedSecrets(fixture.operator())
    expect(await kept()).to.equal(2)
    hoursLater(24)
    expect(await deleteRotatedSecrets(fixture.operator())).to.be.at.least(1)
    expect(await kept()).to.equal(1)
    expect(await deleteRotatedSecrets(fixture.operator())).to.equal(0)
  })

  it('are recorded in the audit log without secrets and without the query of a URL', async () => {
    await setWebhookUrl(operator(), { url })
    await setWebhookUrl(operator(), { url })
    const { webhookSecret } = await revealWebhookSecret(operator())
    const rotated = await rotate()
    const { items } = await listAuditEvents(operator())
    expect(items.map(event => event.action)).to.have.members([
      'tenant.create',
      'settings.set_webhook_url',
      'webhook_secret.reveal',
      'webhook_secret.rotate',
    ])
    for (const secret of [webhookSecret, rotated.webhookSecret, 'secret-in-query']) {
      expect(JSON.stringify(items)).not.to.include(secret)
    }
  })
})
