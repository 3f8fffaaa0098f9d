import { expect } from 'chai'
import { listAuditEvents } from '#domain/audit-event/list-audit-events.ts'
import { acceptableSecrets } from '#domain/tenant/acceptable-secrets.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { endRotatedSecrets } from '#domain/tenant/end-rotated-secrets.ts'
import { getSettings } from '#domain/tenant/get-settings.ts'
import { revealWebhookSecret } from '#domain/tenant/reveal-webhook-secret.ts'
import { rotateWebhookSecret } from '#domain/tenant/rotate-webhook-secret.ts'
import { setReturnUrl } from '#domain/tenant/set-return-url.ts'
import { setWebhookUrl } from '#domain/tenant/set-webhook-url.ts'
import { WebhookSecret } from '#domain/tenant/webhook-secret.entity.ts'
import { type Administration, openAdministration } from './administration.ts'
import { refused } from './rejected.ts'

const url = 'https://shop.example.com/hook?key=secret-in-query'
const hourMs = 60 * 60 * 1000

describe('a tenant’s settings', () => {
  let here: Administration
  let tenantId: string
  before(async () => {
    here = await openAdministration()
  })
  after(() => here.close())
  beforeEach(async () => {
    here.time.now = new Date('2026-11-20T12:00:00.000Z')
    tenantId = (await createTenant(here.operator(), { name: 'Shop' })).id
  })

  const hoursLater = (hours: number) => {
    here.time.now = new Date(here.time.now.getTime() + hours * hourMs)
  }
  const rotate = () => rotateWebhookSecret(here.operator(), { tenantId })
  const secrets = () => acceptableSecrets(here.operator(), tenantId)

  it('begin empty', async () => {
    expect(await getSettings(here.operator(), { tenantId })).to.deep.equal({
      ...{ webhookUrl: null, returnUrl: null, hasWebhookSecret: false, previousSecretValidUntil: null },
    })
    await refused(revealWebhookSecret(here.operator(), { tenantId }), 'NOT_PROVISIONED')
    await refused(rotate(), 'NOT_PROVISIONED')
    expect(await secrets()).to.deep.equal([])
  })

  it('get a secret with the first webhook URL, which stays when the URL changes or goes', async () => {
    const settings = await setWebhookUrl(here.operator(), { tenantId, url })
    expect(settings).to.include({ webhookUrl: url, hasWebhookSecret: true, previousSecretValidUntil: null })
    const [secret] = await secrets()
    expect(secret).to.match(/^whsec_[A-Za-z0-9_-]{43}$/)
    await setWebhookUrl(here.operator(), { tenantId, url: 'https://other.example.com/' })
    const cleared = await setWebhookUrl(here.operator(), { tenantId, url: null })
    expect(cleared).to.include({ webhookUrl: null, hasWebhookSecret: true })
    expect(await secrets()).to.deep.equal([secret])
  })

  it('make one secret when the first URL is set twice at once', async () => {
    await Promise.all([1, 2, 3].map(() => setWebhookUrl(here.operator(), { tenantId, url })))
    expect(await secrets()).to.have.length(1)
  })

  it('hold no secret in readable form', async () => {
    await setWebhookUrl(here.operator(), { tenantId, url })
    const { webhookSecret } = await revealWebhookSecret(here.operator(), { tenantId })
    const stored = await here.operator().em.findOneOrFail(WebhookSecret, { tenantId })
    expect(Buffer.from(stored.encryptedSecret).toString('latin1')).not.to.include(webhookSecret.slice(6))
  })

  for (const bad of [
    'http://shop.example.com/',
    'https://u:p@shop.example.com/',
    'https://10.0.0.1/',
    'https://localhost/',
    'shop',
    '',
  ]) {
    it(`refuse ${bad || 'an empty text'} as a webhook URL, and stay as they are`, async () => {
      const refusal = await refused(
        setWebhookUrl(here.operator(), { tenantId, url: bad }),
        'INVALID_PARAMETERS',
      )
      expect(refusal.details?.issues?.[0]?.path).to.equal('url')
      expect(await getSettings(here.operator(), { tenantId })).to.include({
        ...{ webhookUrl: null, hasWebhookSecret: false },
      })
    })
  }

  it('take an https return address only', async () => {
    const returnUrl = 'https://shop.example.com/back?lang=en'
    expect(await setReturnUrl(here.operator(), { tenantId, url: returnUrl })).to.include({ returnUrl })
    await refused(
      setReturnUrl(here.operator(), { tenantId, url: 'http://shop.example.com/' }),
      'INVALID_PARAMETERS',
    )
    expect(await getSettings(here.operator(), { tenantId })).to.include({ returnUrl })
    expect(await setReturnUrl(here.operator(), { tenantId, url: null })).to.include({ returnUrl: null })
  })

  it('accept the secret before a rotation for 24 hours more, and no moment longer', async () => {
    await setWebhookUrl(here.operator(), { tenantId, url })
    const [old] = await secrets()
    const rotated = await rotate()
    const until = new Date(here.time.now.getTime() + 24 * hourMs)
    expect(rotated.previousValidUntil).to.deep.equal(until)
    expect(await secrets()).to.deep.equal([rotated.webhookSecret, old])
    expect(await getSettings(here.operator(), { tenantId })).to.include({ hasWebhookSecret: true })
    expect((await getSettings(here.operator(), { tenantId })).previousSecretValidUntil).to.deep.equal(until)
    hoursLater(24)
    expect(await secrets()).to.deep.equal([rotated.webhookSecret])
    expect(await revealWebhookSecret(here.operator(), { tenantId })).to.deep.equal({
      ...{ webhookSecret: rotated.webhookSecret, previousValidUntil: null },
    })
  })

  it('keep three secrets at most, the newest first, and end the oldest of a fourth at once', async () => {
    await setWebhookUrl(here.operator(), { tenantId, url })
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

  it('rotate one after the other when that is asked twice at once', async () => {
    await setWebhookUrl(here.operator(), { tenantId, url })
    const [old] = await secrets()
    const rotated = (await Promise.all([rotate(), rotate()])).map(answer => answer.webhookSecret)
    const [newest, middle, oldest] = await secrets()
    expect([newest, middle]).to.have.members(rotated)
    expect(oldest).to.equal(old)
    const current = await here.operator().em.count(WebhookSecret, { tenantId, expiresAt: null })
    expect(current).to.equal(1)
    expect((await revealWebhookSecret(here.operator(), { tenantId })).webhookSecret).to.equal(newest)
  })

  it('lose the secrets whose time is over to the clean-up, and only those', async () => {
    await setWebhookUrl(here.operator(), { tenantId, url })
    await rotate()
    const kept = () => here.operator().em.count(WebhookSecret, { tenantId })
    await endRotatedSecrets(here.operator())
    expect(await kept()).to.equal(2)
    hoursLater(24)
    expect(await endRotatedSecrets(here.operator())).to.be.at.least(1)
    expect(await kept()).to.equal(1)
    expect(await endRotatedSecrets(here.operator())).to.equal(0)
  })

  it('are told in the audit log without secrets and without the query of a URL', async () => {
    await setWebhookUrl(here.operator(), { tenantId, url })
    await setWebhookUrl(here.operator(), { tenantId, url })
    const { webhookSecret } = await revealWebhookSecret(here.operator(), { tenantId })
    const rotated = await rotate()
    const { items } = await listAuditEvents(here.operator(), { tenantId })
    expect(items.map(event => event.action)).to.have.members([
      ...['tenant.create', 'settings.set_webhook_url', 'webhook_secret.reveal', 'webhook_secret.rotate'],
    ])
    for (const secret of [webhookSecret, rotated.webhookSecret, 'secret-in-query']) {
      expect(JSON.stringify(items)).not.to.include(secret)
    }
  })
})
