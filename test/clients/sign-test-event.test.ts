import { expect } from 'chai'
import { signTestEvent, verifyWebhook } from '#clients/typescript/src/index.ts'
import { eventHeaders } from '#domain/webhook/signature.policy.ts'

const secret = 'whsec_for_tests'

describe('A signed test event', () => {
  it('is a request as the service sends it', async () => {
    const { method, headers, body } = await signTestEvent(secret)
    expect(method).to.equal('POST')
    expect(new Headers(headers)).to.deep.equal(
      new Headers(eventHeaders('verification.completed', body, secret)),
    )
    const { event, data } = await verifyWebhook(body, headers, secret)
    expect(event).to.equal('verification.completed')
    expect(data).to.include({ status: 'approved', confidence: 1, provider: 'veriff' })
  })

  it('has what the test says', async () => {
    const verificationId = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1'
    const timestamp = new Date('2026-01-31T12:00:00Z')
    const fields = { event: 'verification.opened', verificationId, status: 'denied', timestamp } as const
    const { headers, body } = await signTestEvent(secret, fields)
    const { data, ...event } = await verifyWebhook(body, headers, [secret], { now: timestamp })
    expect(event).to.include({ event: 'verification.opened', timestamp: '2026-01-31T12:00:00.000Z' })
    expect(data).to.include({ verificationId, status: 'denied' })
  })
})
