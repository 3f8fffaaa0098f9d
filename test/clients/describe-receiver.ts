import { expect } from 'chai'
import { newId } from '#domain/ids.ts'
import { completedEvent } from '#domain/webhook/completed-event.ts'
import { signEvent } from '#domain/webhook/signature.policy.ts'
import { eventually } from '../harness/eventually.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import type { TestService, TestTenant } from '../harness/test-service.ts'

/** Those that the receivers accept. */
export const secrets = ['whsec_the-new-one', 'whsec_the-old-one'] as const

export interface RunningReceiver {
  url: string
  /** What it has printed. */
  output(): string
}

interface Parties {
  service: TestService
  tenant: TestTenant
  receiver: () => RunningReceiver
}

/** What the receivers in the READMEs of the clients do with events. */
export function describeReceiver(title: string, { service, tenant, receiver }: Parties): void {
  const decided = (outcome: string) => tenantClient(service, tenant).decided(outcome)
  const post = (body: string, secret: string) => send(body, signEvent(body, secret))

  async function send(body: string, signature?: string, { inChunks = false } = {}): Promise<number> {
    const type = { 'content-type': 'application/json', 'x-webhook-event': 'verification.completed' }
    const headers = { ...type, ...(signature !== undefined && { 'x-webhook-signature': signature }) }
    const chunks = ReadableStream.from([body.slice(0, 10), body.slice(10)].map(text => Buffer.from(text)))
    const init = { method: 'POST', headers, body: inChunks ? chunks : body, duplex: 'half' }
    return (await fetch(receiver().url, init as RequestInit)).status
  }

  function eventOf(verificationId: string, at = new Date()): string {
    const verification = { verificationId, status: 'approved', confidence: 1, provider: 'veriff' } as const
    return completedEvent({ tenantId: tenant.tenantId, ...verification }, at)
  }

  describe(title, () => {
    it('accepts an event with either secret, processes it once, and admits on over18 only', async () => {
      const [adult, minor] = [await decided('approve-adult'), await decided('approve-minor')]
      for (const secret of secrets) {
        expect(await post(eventOf(adult), secret)).to.equal(204)
        expect(await post(eventOf(minor), secret)).to.equal(204)
      }
      const lines = () => receiver().output().split('\n')
      await eventually(() => lines().includes(`${minor} refused`))
      expect(lines().filter(line => line === `${adult} admitted`)).to.have.length(1)
    })

    it('verifies the bytes that were sent, at once and in chunks', async () => {
      const event = JSON.parse(eventOf(await decided('approve-adult')))
      const body = JSON.stringify({ note: 'Zoë', ...event }, null, 2).replace('approved', '\\u0061pproved')
      for (const inChunks of [false, true])
        expect(await send(body, signEvent(body, secrets[0]), { inChunks })).to.equal(204)
    })

    it('responds with 401 to what is not authentic and recent, and does nothing', async () => {
      const id = await decided('approve-adult')
      const old = eventOf(id, new Date(Date.now() - 25 * 3_600_000))
      expect(await post(eventOf(id), 'whsec_another')).to.equal(401)
      expect(await post(old, secrets[0])).to.equal(401)
      expect(await send(eventOf(id))).to.equal(401)
      expect(await send(eventOf(id), 'é')).to.equal(401)
      expect(receiver().output()).not.to.contain(id)
    })

    it("fails if it can't process an authentic event, so that it is sent again", async () => {
      const status = await post(eventOf(newId(new Date())), secrets[0]).catch(() => 'lost')
      expect(status).to.be.oneOf([404, 500, 'lost'])
    })
  })
}
