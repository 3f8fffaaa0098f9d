import { createHmac } from 'node:crypto'
import { expect } from 'chai'
import { completedEvent } from '#domain/webhook/completed-event.ts'
import { createTestClock } from '#test/support/test-clock.ts'
import { testSender, useFixture } from '../http/fixture.ts'
import { startReceiver } from '../http/tls-receiver.ts'
import { type Fixture, fakeSender, openFixture, refusal, until, useWorkers } from './fixture.ts'

const signature = (body: string, secret: string) => createHmac('sha256', secret).update(body).digest('hex')

describe('the request that a receiver gets', () => {
  let fixture: Fixture
  const startWorker = useWorkers()
  const open = useFixture()
  before(async () => {
    fixture = await openFixture()
  })
  after(() => fixture.close())

  it('carries the body of the event, its signature, its type, and nothing that tells more', async () => {
    const receiver = await open(startReceiver())
    const url = `https://receiver.test:${receiver.port}/hook?token=hidden`
    const tenant = await fixture.addTenant({ url, secrets: ['whsec_of this tenant ü'] })
    const sender = await open(testSender())
    startWorker(fixture, { sender })
    const at = new Date()
    const [id] = await fixture.addEvents(tenant.id, 1, at)
    await until(async () => (await fixture.row(id!))?.state === 'delivered')
    const [request] = receiver.requests
    const [body] = receiver.bodies
    expect(request).to.include({ method: 'POST', url: '/hook?token=hidden' })
    expect(body).to.equal(
      completedEvent(
        {
          tenantId: tenant.id,
          verificationId: id!,
          status: 'approved',
          confidence: 0.98,
          provider: 'veriff',
        },
        at,
      ),
    )
    expect(request!.headers).to.deep.equal({
      'content-type': 'application/json',
      'user-agent': 'age-verification-service',
      'x-webhook-event': 'verification.completed',
      'x-webhook-signature': signature(body!, 'whsec_of this tenant ü'),
      host: `receiver.test:${receiver.port}`,
      'content-length': String(Buffer.byteLength(body!)),
      connection: 'keep-alive',
    })
  })

  it('is signed with each acceptable secret in turn: new, old, older', async () => {
    const tenant = await fixture.addTenant({ secrets: ['whsec_new', 'whsec_old', 'whsec_older'] })
    const clock = createTestClock()
    const [id] = await fixture.addEvents(tenant.id, 1, clock())
    const sender = fakeSender(() => refusal)
    startWorker(fixture, { sender, clock })
    for (const [attempt, secret] of ['whsec_new', 'whsec_old', 'whsec_older'].entries()) {
      await until(async () => {
        const row = await fixture.row(id!)
        return row?.attempts === attempt + 1 && row.state !== 'in_flight'
      })
      const { headers, body } = sender.attempts[attempt]!
      expect(headers['X-Webhook-Signature']).to.equal(signature(body.toString(), secret))
      clock.advance(660_000)
    }
  })

  it('is no longer signed with a secret from the moment its grace ends', async () => {
    const tenant = await fixture.addTenant({ secrets: ['whsec_new', 'whsec_old'] })
    const clock = createTestClock()
    const [id] = await fixture.addEvents(tenant.id, 1, clock())
    await fixture.query(
      'update webhook_secret set expires_at = $2 where tenant_id = $1 and expires_at is not null',
      [tenant.id, new Date(clock().getTime() + 66_000)],
    )
    const sender = fakeSender(() => refusal)
    startWorker(fixture, { sender, clock })
    await until(async () => (await fixture.row(id!))?.state === 'pending' && sender.attempts.length === 1)
    clock.advance(66_000)
    await until(async () => sender.attempts.length === 2)
    const { headers, body } = sender.attempts[1]!
    expect(headers['X-Webhook-Signature']).to.equal(signature(body.toString(), 'whsec_new'))
  })

  it('arrives within 50 ms of the commit, at the median, when the worker is woken', async () => {
    const arrivals: number[] = []
    const receiver = await open(
      startReceiver({}, response => {
        arrivals.push(performance.now())
        response.writeHead(204).end()
      }),
    )
    const tenant = await fixture.addTenant({ url: `https://receiver.test:${receiver.port}/` })
    const sender = await open(testSender())
    const worker = startWorker(fixture, { sender, pollMs: 500 })
    const delays: number[] = []
    for (let sent = 1; sent <= 25; sent += 1) {
      const [id] = await fixture.addEvents(tenant.id)
      const committedAt = performance.now()
      worker.wake()
      await until(async () => (await fixture.row(id!))?.state === 'delivered')
      delays.push(arrivals.at(-1)! - committedAt)
    }
    expect(arrivals).to.have.lengthOf(25)
    expect(delays.toSorted((a, b) => a - b)[12]).to.be.below(50)
  })

  it('is sent at the next poll if the wake-up was lost', async () => {
    const tenant = await fixture.addTenant()
    const sender = fakeSender()
    startWorker(fixture, { sender, pollMs: 500 })
    await fixture.addEvents(tenant.id)
    await until(() => sender.attempts.length === 1, 1_000)
  })
})
