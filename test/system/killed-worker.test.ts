import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect } from 'chai'
import { createTestSender, useAutoClose } from '#test/server/webhooks/http/fixture.ts'
import { type Receiver, startReceiver } from '#test/server/webhooks/http/tls-receiver.ts'
import { useQueueFixture } from '#test/server/webhooks/queue/fixture.ts'
import { eventually } from '../harness/eventually.ts'

const leaseMs = 8_001

/** Steps at which the worker is killed, with the attempts and requests counted after another worker has delivered. */
const steps = [
  { step: 'before the count', attempts: 1, arrived: 1 },
  { step: 'after the count', attempts: 2, arrived: 1 },
  { step: 'during the request', attempts: 2, arrived: 2 },
  { step: 'before the result is stored', attempts: 2, arrived: 2 },
]

describe('a worker killed with SIGKILL', () => {
  const queue = useQueueFixture()
  const open = useAutoClose()
  afterEach(() => void child?.kill('SIGKILL'))

  for (const { step, attempts, arrived } of steps) {
    it(`${step} loses no webhook event: it arrives ${arrived === 1 ? 'once' : 'at most twice'}`, async () => {
      const { receiver, id } = await prepare(step)
      await crashAt(step, receiver)
      await startSecondWorker(leaseMs)
      await queue.untilState(id, 'delivered')
      expect((await queue.delivery(id)).attempts).to.equal(attempts)
      expect(receiver.bodies).to.have.lengthOf(arrived)
      expect(new Set(receiver.bodies)).to.have.lengthOf(1)
    })
  }

  it('three times during the request uses up all attempts: no fourth one is made', async () => {
    const { receiver, id } = await prepare('during the request')
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await crashAt('during the request', receiver, (attempt - 1) * leaseMs)
      expect(receiver.bodies).to.have.lengthOf(attempt)
    }
    await startSecondWorker(3 * leaseMs)
    await queue.untilState(id, 'failed')
    expect(receiver.bodies).to.have.lengthOf(3)
  })

  it('during the request is followed within 15 s by an attempt of a worker that is already running', async () => {
    const { receiver, id } = await prepare('during the request')
    const killed = crashAt('during the request', receiver)
    await eventually(() => receiver.bodies.length === 1)
    const { due_at: leaseUntil } = await queue.delivery(id)
    await startSecondWorker(0)
    await killed
    await eventually(() => receiver.bodies.length === 2, { timeoutMs: 15_000 })
    expect(new Date()).to.be.above(leaseUntil)
  })

  /** A receiver that responds, except while a worker is to be killed, with an event that is due for it. */
  async function prepare(step: string): Promise<{ receiver: Receiver; id: string }> {
    const answer = (response: ServerResponse) => {
      if (step === 'during the request' && child) child.kill('SIGKILL')
      else response.writeHead(204).end()
    }
    const receiver = await open(startReceiver({}, answer))
    const tenantId = await queue.addTenant({ url: receiver.url })
    return { receiver, id: await queue.addDelivery(tenantId) }
  }

  let child: ChildProcess | undefined

  async function crashAt(step: string, receiver: Receiver, aheadMs = 0): Promise<void> {
    child = fork(new URL('crashing-worker.ts', import.meta.url), [queue.url, step, String(aheadMs)])
    const [, signal] = await once(child, 'exit')
    child = undefined
    expect(signal).to.equal('SIGKILL')
    for (const socket of receiver.connections) socket.destroy()
  }

  async function startSecondWorker(aheadMs: number): Promise<void> {
    const sender = await open(createTestSender({ deadlineMs: 5_000 }))
    queue.startWorker({ sender, clock: () => new Date(Date.now() + aheadMs) })
  }
})
