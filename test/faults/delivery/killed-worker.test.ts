import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect } from 'chai'
import { testSender, useFixture } from '#test/server/webhooks/http/fixture.ts'
import { type Receiver, startReceiver } from '#test/server/webhooks/http/tls-receiver.ts'
import { type Fixture, openFixture, useWorkers } from '#test/server/webhooks/queue/fixture.ts'
import { eventually } from '#test/support/eventually.ts'

const leaseMs = 8_000

/** A step at which the worker is killed, what is counted and what has arrived when another has delivered. */
const steps = [
  { step: 'before the count', attempts: 1, arrived: 1 },
  { step: 'after the count', attempts: 2, arrived: 1 },
  { step: 'during the request', attempts: 2, arrived: 2 },
  { step: 'before the result is stored', attempts: 2, arrived: 2 },
]

describe('a worker killed with SIGKILL', () => {
  let fixture: Fixture
  const startWorker = useWorkers()
  const open = useFixture()
  beforeEach(async () => {
    fixture = await openFixture()
  })
  afterEach(() => fixture.close())

  for (const { step, attempts, arrived } of steps) {
    it(`${step} loses no event: it arrives, ${arrived === 1 ? 'once' : 'at most twice'}`, async () => {
      const { receiver, id } = await prepare(step)
      await killedAt(step, receiver)
      await rescue(leaseMs)
      await eventually(async () => (await fixture.row(id))?.state === 'delivered', { timeoutMs: 10_000 })
      expect((await fixture.row(id))!.attempts).to.equal(attempts)
      expect(receiver.bodies).to.have.lengthOf(arrived)
      expect(new Set(receiver.bodies)).to.have.lengthOf(1)
    })
  }

  it('three times during the request has used up its attempts: there is no fourth', async () => {
    const { receiver, id } = await prepare('during the request')
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await killedAt('during the request', receiver, (attempt - 1) * leaseMs)
      expect(receiver.bodies).to.have.lengthOf(attempt)
    }
    await rescue(3 * leaseMs)
    await eventually(async () => (await fixture.row(id))?.state === 'failed')
    expect(receiver.bodies).to.have.lengthOf(3)
  })

  it('during the request is followed by the next attempt within 15 s, by a worker that runs already', async () => {
    const { receiver } = await prepare('during the request')
    const killed = killedAt('during the request', receiver)
    await eventually(() => receiver.bodies.length === 1, { timeoutMs: 10_000 })
    await rescue(0)
    await killed
    const killedWhen = performance.now()
    await eventually(() => receiver.bodies.length === 2, { timeoutMs: 15_000 })
    expect(performance.now() - killedWhen).to.be.within(5_000, 15_000)
  })

  /** A receiver that answers, but not while a worker is to be killed; with an event on its way to it. */
  async function prepare(step: string): Promise<{ receiver: Receiver; id: string }> {
    const answer = (response: ServerResponse) => {
      if (step === 'during the request' && child) child.kill('SIGKILL')
      else response.writeHead(204).end()
    }
    const receiver = await open(startReceiver({}, answer))
    const tenant = await fixture.addTenant({ url: `https://receiver.test:${receiver.port}/` })
    const [id] = await fixture.addEvents(tenant.id)
    return { receiver, id: id! }
  }

  let child: ChildProcess | undefined

  async function killedAt(step: string, receiver: Receiver, aheadMs = 0): Promise<void> {
    child = fork(new URL('doomed-worker.ts', import.meta.url), [fixture.url, step, String(aheadMs)])
    const [, signal] = await once(child, 'exit')
    child = undefined
    expect(signal).to.equal('SIGKILL')
    for (const socket of receiver.connections) socket.destroy()
  }

  async function rescue(aheadMs: number): Promise<void> {
    const sender = await open(testSender({ deadlineMs: 5_000 }))
    startWorker(fixture, { sender, clock: () => new Date(Date.now() + aheadMs) })
  }
})
