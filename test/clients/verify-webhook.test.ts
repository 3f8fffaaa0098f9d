import { createHmac } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { verifyWebhook, WebhookVerificationError } from '#clients/typescript/src/index.ts'
import { signEvent } from '#domain/webhook/signature.policy.ts'
import { errorOf } from './scripted-fetch.ts'
import { headerVectors, webhookVectors as vectors } from './test-vectors.ts'

describe('verifyWebhook', () => {
  for (const vector of vectors) {
    it(`${vector.reason === 'ok' ? 'accepts' : `rejects (${vector.reason})`}: ${vector.name}`, async () => {
      const { headers, secrets, toleranceSeconds } = vector
      const body = Buffer.from(vector.body, 'base64')
      const verifying = verifyWebhook(body, headers, secrets, { toleranceSeconds, now: new Date(vector.now) })
      if (vector.verdict === 'valid') {
        expect(await verifying).to.deep.equal(JSON.parse(body.toString()))
      } else {
        const error = await errorOf(verifying)
        expect(error).to.be.instanceOf(WebhookVerificationError).and.include({ reason: vector.reason })
      }
    })
  }

  const body = vectors[0]!.bodyText!
  const secret = 'whsec_ours'
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const now = new Date(vectors[0]!.now)
  const header = 'x-webhook-signature'

  it('takes the body as bytes, as a part of a buffer and as text', async () => {
    const part = Buffer.from(`..${body}..`).subarray(2, -2)
    const whole = Uint8Array.from(part)
    const foreign: Uint8Array<ArrayBuffer> = runInNewContext('bytes => Uint8Array.from(bytes)')([...whole])
    for (const rawBody of [
      body,
      part,
      whole,
      whole.buffer,
      new DataView(whole.buffer),
      foreign,
      foreign.buffer,
    ]) {
      const event = await verifyWebhook(rawBody, { [header]: signature }, secret, { now })
      expect(event).to.deep.equal(JSON.parse(body))
    }
  })

  it('takes the headers as Headers, as Node has them, and as pairs', async () => {
    const accepted = [
      new Headers({ [header]: signature }),
      { [header]: signature, 'x-other': undefined },
      { 'X-Webhook-Signature': [signature] },
      [['X-WEBHOOK-SIGNATURE', signature] as const],
    ]
    for (const headers of accepted) {
      expect((await verifyWebhook(body, headers, secret, { now })).event).to.equal('verification.completed')
    }
    const repeated = [
      new Headers([
        [header, signature],
        [header, signature],
      ]),
      { [header]: [signature, signature] },
      { [header]: signature, 'X-Webhook-Signature': signature },
    ]
    for (const headers of repeated) {
      expect(await errorOf(verifyWebhook(body, headers, secret, { now }))).to.include({
        reason: 'signature_malformed',
      })
    }
  })

  for (const { name, headers, reason } of headerVectors) {
    it(`finds ${reason} in the headers of a gateway: ${name}`, async () => {
      const { secrets } = vectors[0]!
      const verifying = verifyWebhook(body, headers as never, secrets, { now })
      if (reason === 'ok') expect((await verifying).event).to.equal('verification.completed')
      else expect(await errorOf(verifying)).to.include({ name: 'WebhookVerificationError', reason })
    })
  }

  it('ignores secrets that are not set, as between two rotations', async () => {
    const secrets = [undefined, null as never, secret, undefined]
    const event = await verifyWebhook(body, { [header]: signature }, secrets, { now })
    expect(event.data.status).to.equal('approved')
  })

  it('throws a TypeError without a secret, so that a missing setting admits nobody', async () => {
    const forge = (key: string) => ({ [header]: createHmac('sha256', key).update(body).digest('hex') })
    const wrongs: Record<string, unknown[]> = {
      '': ['', [], [undefined], [''], ['', secret], null],
      null: [[null], null],
      '   ': ['   ', ['   ', secret]],
    }
    for (const [key, lists] of Object.entries(wrongs)) {
      for (const secrets of lists) {
        const error = await errorOf(verifyWebhook(body, forge(key), secrets as never, { now }))
        expect(error).to.be.instanceOf(TypeError)
      }
    }
  })

  it('throws a TypeError for a time that is none, by which every event would be recent', async () => {
    for (const wrong of [
      { toleranceSeconds: Number.NaN },
      { toleranceSeconds: '300' },
      { now: new Date('') },
    ])
      expect(
        await errorOf(verifyWebhook(body, { [header]: signature }, secret, wrong as never)),
      ).to.be.instanceOf(TypeError)
    const options = { now: new Date(now.getTime() + 1e12), toleranceSeconds: Number.POSITIVE_INFINITY }
    expect((await verifyWebhook(body, { [header]: signature }, secret, options)).event).to.be.a('string')
  })

  it('says that a parsed body can not be verified', async () => {
    const error = await errorOf(verifyWebhook(JSON.parse(body), { [header]: signature }, secret, { now }))
    expect(error).to.be.instanceOf(TypeError)
    expect((error as Error).message).to.contain('raw bytes')
    for (const rawBody of [[], new Map(), new Request(`https://receiver.example`)]) {
      const wrong = verifyWebhook(rawBody as never, { [header]: signature }, secret, { now })
      expect(await errorOf(wrong)).to.be.instanceOf(TypeError)
    }
  })

  it('takes no body for an empty one, which is not authentic', async () => {
    // Express 4 has an empty object.
    for (const rawBody of [undefined, null, '', {}]) {
      const error = await errorOf(
        verifyWebhook(rawBody as undefined, { [header]: signature }, secret, { now }),
      )
      expect(error).to.include({ reason: 'signature_mismatch', status: 401, statusCode: 401, expose: true })
    }
  })

  it('tolerates 24 hours by default, by the clock', async () => {
    const at = (ageMs: number) => {
      const text = JSON.stringify({
        ...JSON.parse(body),
        timestamp: new Date(Date.now() - ageMs).toISOString(),
      })
      return verifyWebhook(text, { [header]: signEvent(text, secret) }, secret)
    }
    const hourMs = 3_600_000
    expect((await at(23 * hourMs)).event).to.equal('verification.completed')
    expect(await errorOf(at(25 * hourMs))).to.include({ reason: 'timestamp_too_old' })
  })
})
