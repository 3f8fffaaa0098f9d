import { createHmac } from 'node:crypto'
import { expect } from 'chai'
import { eventually } from '#test/harness/eventually.ts'
import { createTestSender, useAutoClose } from '../http/fixture.ts'
import { startReceiver } from '../http/tls-receiver.ts'
import { createFakeSender, serverError } from './fake-sender.ts'
import { eventBody, useQueueFixture } from './fixture.ts'
import { interceptPool } from './intercept-pool.ts'

const sign = (body: string, secret: string) => createHmac('sha256', secret).update(body).digest('hex')

describe('A webhook request', () => {
  const queue = useQueueFixture()
  const open = useAutoClose()

  it('has the body of the event, its signature, its type and no other information', async () => {
    const receiver = await open(startReceiver())
    const url = `https://receiver.test:${receiver.port}/hook?token=hidden&b=%20`
    const tenantId = await queue.addTenant({ url, secrets: ['whsec_of this tenant ü'] })
    const sender = await open(createTestSender())
    queue.startWorker({ sender })
    const at = new Date()
    const id = await queue.addDelivery(tenantId, at)
    await queue.untilState(id, 'delivered')
    const [request] = receiver.requests
    const [body] = receiver.bodies
    expect(request).to.include({ method: 'POST', url: '/hook?token=hidden&b=%20' })
    expect(body).to.equal(eventBody(tenantId, id, at))
    expect(request!.headers).to.deep.equal({
      'content-type': 'application/json',
      'user-agent': 'age-verification-service',
      'x-webhook-event': 'verification.completed',
      'x-webhook-signature': sign(body!, 'whsec_of this tenant ü'),
      host: `receiver.test:${receiver.port}`,
      'content-length': String(Buffer.byteLength(body!)),
      connection: 'keep-alive',
    })
  })

  it('is signed with a different valid secret in each attempt, the newest first', async () => {
    const secrets = ['whsec_new', 'whsec_old', 'whsec_older']
    const { clock, id, sender } = await queue.startDelivery(() => serverError, { secrets })
    for (const [attempt, secret] of secrets.entries()) {
      await queue.untilAttempted(id, attempt + 1)
      const { headers, body } = sender.requests[attempt]!
      expect(headers['X-Webhook-Signature']).to.equal(sign(body.toString(), secret))
      clock.advance(660_000)
    }
  })

  it('is not signed with a rotated secret once its grace period has ended', async () => {
    const { tenantId, clock, id } = await queue.addDue({ secrets: ['whsec_new', 'whsec_old'] })
    await queue.query(
      'update webhook_secret set expires_at = $2 where tenant_id = $1 and expires_at is not null',
      [tenantId, new Date(clock().getTime() + 66_000)],
    )
    const sender = createFakeSender(() => serverError)
    queue.startWorker({ sender, clock })
    await queue.untilAttempted(id, 1)
    clock.advance(66_000)
    await eventually(() => sender.requests.length === 2)
    const { headers, body } = sender.requests[1]!
    expect(headers['X-Webhook-Signature']).to.equal(sign(body.toString(), 'whsec_new'))
  })

  it('of a test tenant is not sent before it is listed', async () => {
    const { tenantId, clock, id } = await queue.addDue()
    await queue.query('update tenant set test = true where id = $1', [tenantId])
    let fails = true
    const pool = interceptPool(queue.pool, async ({ name }, send) => {
      if (fails && name === 'record-test-event') throw new Error('away')
      return await send()
    })
    const sender = createFakeSender()
    queue.startWorker({ sender, clock, pool })
    expect(await queue.untilAttempted(id, 1)).to.include({ state: 'waiting', failure: 'error' })
    expect(sender.requests).to.deep.equal([])
    fails = false
    clock.advance(66_000)
    await queue.untilState(id, 'delivered')
    const sql = 'select attempt, headers from test_event where tenant_id = $1'
    const { headers } = sender.requests[0]!
    expect(await queue.query(sql, [tenantId])).to.deep.equal([{ attempt: 2, headers }])
  })

  it('is sent by the next poll when the wake-up was lost', async () => {
    const tenantId = await queue.addTenant()
    const sender = createFakeSender()
    queue.startWorker({ sender, pollMs: 500 })
    await queue.addDelivery(tenantId)
    await eventually(() => sender.requests.length === 1)
  })
})
