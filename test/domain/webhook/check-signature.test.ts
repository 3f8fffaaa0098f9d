import { expect } from 'chai'
import { revealWebhookSecret } from '#domain/settings/reveal-webhook-secret.ts'
import { rotateWebhookSecret } from '#domain/settings/rotate-webhook-secret.ts'
import { setWebhookUrl } from '#domain/settings/set-webhook-url.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { checkSignature } from '#domain/webhook/check-signature.ts'
import { completedEvent } from '#domain/webhook/completed-event.ts'
import { signEvent } from '#domain/webhook/signature.policy.ts'
import { dayMs } from '../../harness/scope.ts'
import { owner, useFixture } from '../administration/fixture.ts'
import { storeOwner } from '../administration/history.ts'

describe('The check of a webhook signature', () => {
  const start = new Date('2026-11-20T12:00:00.000Z')
  const verificationId = '019f0000-0000-7000-8000-000000000001'
  const fixture = useFixture()
  let tenantId: string
  let secret: string
  beforeEach(async () => {
    fixture.time.now = start
    tenantId = (await createTenant(fixture.operator(), { name: 'Shop' })).id
    await storeOwner(fixture.operator(), tenantId)
    await setWebhookUrl(scope(), { url: 'https://hooks.example.com/' })
    secret = (await revealWebhookSecret(scope())).webhookSecret
  })

  const scope = () => fixture.scope(owner(tenantId))
  const eventAt = (at: Date, of = tenantId) => {
    const verification = { verificationId, status: 'approved', confidence: 1, provider: 'veriff' } as const
    return completedEvent({ tenantId: of, ...verification }, at)
  }

  /** The verdict, without its message. */
  async function check(body: string, headers: string) {
    const { message, ...verdict } = await checkSignature(scope(), { body, headers })
    expect(message).to.match(/^[A-Z].+\.$/)
    expect(verdict.valid).to.equal(verdict.reason === null)
    return [verdict.secret, verdict.reason]
  }

  it('says that the current secret signed it, from the value alone or from headers in any form', async () => {
    const body = eventAt(start)
    const value = signEvent(body, secret)
    for (const headers of [
      value,
      ` ${value.toUpperCase()}\n`,
      `X-Webhook-Signature: ${value}`,
      `Host: shop.example.com\r\nx-webhook-signature:${value}\r\nX-Webhook-Event: verification.completed`,
      `{"host":"shop.example.com","x-webhook-signature":"${value}","accept":"*/*"}`,
    ])
      expect(await check(body, headers), headers).to.deep.equal(['current', null])
  })

  it('says that a rotated secret signed it, until it has expired', async () => {
    const body = eventAt(start)
    const value = signEvent(body, secret)
    fixture.time.now = new Date(start.getTime() + 1_000)
    await rotateWebhookSecret(scope())
    expect(await check(body, value)).to.deep.equal(['previous', null])
    fixture.time.now = new Date(start.getTime() + dayMs + 1_000)
    expect(await check(body, value)).to.deep.equal([null, 'secret_rotated'])
  })

  it('says what is wrong with the headers', async () => {
    const body = eventAt(start)
    const value = signEvent(body, secret)
    const line = `X-Webhook-Signature: ${value}`
    for (const [headers, reason] of [
      ['', 'signature_missing'],
      ['Host: shop.example.com', 'signature_missing'],
      ['X-Webhook-Signature:', 'signature_missing'],
      [`${line}\n${line}`, 'signature_repeated'],
      [`sha256=${value}`, 'signature_malformed'],
      [`${line}0`, 'signature_malformed'],
      ['X-Webhook-Signature: base64+base64/==', 'signature_malformed'],
    ] as const)
      expect(await check(body, headers), headers).to.deep.equal([null, reason])
  })

  it('says what is wrong with the body', async () => {
    const body = eventAt(start)
    const value = signEvent(body, secret)
    const pretty = JSON.stringify(JSON.parse(body), null, 2)
    for (const altered of [pretty, `${body}\n`, ` ${body}`])
      expect(await check(altered, value), altered).to.deep.equal([null, 'body_altered'])
    const other = eventAt(start).replace('approved', 'denied')
    expect(await check(other, value)).to.deep.equal([null, 'signature_mismatch'])
    expect(await check('', value)).to.deep.equal([null, 'signature_mismatch'])
    expect(await check('[]', signEvent('[]', secret))).to.deep.equal(['current', 'body_malformed'])
    const theirs = eventAt(start, verificationId)
    expect(await check(theirs, value)).to.deep.equal([null, 'other_tenant'])
  })

  it('gives a verdict on a body that is nested too deeply to be serialised again', async () => {
    for (const depth of [6_000, 30_000]) {
      const body = '['.repeat(depth) + ']'.repeat(depth)
      expect(await check(body, '0'.repeat(64)), `${depth}`).to.deep.equal([null, 'signature_mismatch'])
      expect(await check(` ${body}`, signEvent(body, secret))).to.deep.equal([null, 'body_altered'])
      expect(await check(body, signEvent(body, secret))).to.deep.equal(['current', 'body_malformed'])
    }
  })

  it('says that an authentic event is too old, or of the future', async () => {
    for (const [offsetMs, reason] of [
      [-dayMs, 'timestamp_too_old'],
      [1 - dayMs, null],
      [300_000, null],
      [300_001, 'timestamp_in_future'],
    ] as const) {
      const body = eventAt(new Date(start.getTime() + offsetMs))
      expect(await check(body, signEvent(body, secret)), `${offsetMs}`).to.deep.equal(['current', reason])
    }
  })

  it("says that there is no secret yet, and knows no other tenant's", async () => {
    const body = eventAt(start)
    const value = signEvent(body, secret)
    tenantId = (await createTenant(fixture.operator(), { name: 'Other' })).id
    await storeOwner(fixture.operator(), tenantId)
    expect(await check(body, value)).to.deep.equal([null, 'secret_missing'])
    await setWebhookUrl(scope(), { url: 'https://other.example.com/' })
    expect(await check(body, value)).to.deep.equal([null, 'other_tenant'])
  })
})
