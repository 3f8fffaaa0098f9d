import { join, resolve } from 'node:path'
import { expect } from 'chai'
import { newId } from '#domain/ids.ts'
import { completedEvent } from '#domain/webhook/completed-event.ts'
import { signEvent } from '#domain/webhook/signature.policy.ts'
import { useSamples } from '../../documents/samples.ts'
import { eventually } from '../../harness/eventually.ts'
import { describeWith, findProgram } from '../../harness/system-program.ts'
import { tenantClient } from '../../harness/tenant-client.ts'
import { useService, useTenant } from '../../harness/use-service.ts'
import { type RunningReceiver, startReceiver } from './run-sample.ts'

interface Receiver {
  file: string
  /** Whether it responds before it asks for the result. */
  respondsFirst?: boolean
  withoutChunks?: boolean
  /** Whether it exports a handler of web requests. */
  isHandler?: boolean
}

const receivers: Receiver[] = [
  { file: 'receiver.mjs', respondsFirst: true },
  { file: 'receiver.py', respondsFirst: true, withoutChunks: true },
  { file: 'python/receiver.py' },
  { file: 'typescript/express.js' },
  { file: 'typescript/koa.js' },
  { file: 'typescript/fastify.js' },
  { file: 'typescript/hono.js', isHandler: true },
  { file: 'typescript/next.ts', isHandler: true },
]
const secrets = ['whsec_the-new-one', 'whsec_the-old-one'] as const

describe('The receivers in the documents', () => {
  const service = useService()
  const tenant = useTenant(service)
  const decided = (outcome: string) => tenantClient(service, tenant).decided(outcome)
  const folder = useSamples()

  function eventOf(verificationId: string, at = new Date()): string {
    const verification = { verificationId, status: 'approved', confidence: 1, provider: 'veriff' } as const
    return completedEvent({ tenantId: tenant.tenantId, ...verification }, at)
  }

  for (const { file, respondsFirst, withoutChunks, isHandler } of receivers) {
    const program = file.endsWith('.py') ? findProgram('python3') : process.execPath
    describeWith([{ isMissing: !program, reason: 'no python3 on the PATH' }], file, () => {
      let receiver: RunningReceiver
      before('start it', async () => {
        const server = isHandler ? [resolve('test/interop/samples/serve-handler.mjs')] : []
        const command = [program!, ...server, join(folder(), file)]
        const [SERVICE_URL, API_KEY] = [service.baseUrl, tenant.apiKey]
        receiver = await startReceiver(command, { SERVICE_URL, API_KEY, WEBHOOK_SECRETS: secrets.join(',') })
      })
      after('stop it', () => receiver?.stop())

      const post = (body: string, secret: string) => send(body, signEvent(body, secret))

      async function send(body: string, signature?: string, { inChunks = false } = {}): Promise<number> {
        const type = { 'content-type': 'application/json', 'x-webhook-event': 'verification.completed' }
        const headers = { ...type, ...(signature !== undefined && { 'x-webhook-signature': signature }) }
        const chunks = ReadableStream.from([body.slice(0, 10), body.slice(10)].map(text => Buffer.from(text)))
        const init = { method: 'POST', headers, body: inChunks ? chunks : body, duplex: 'half' }
        return (await fetch(receiver.url, init as RequestInit)).status
      }

      /** Of each time that a verification was processed, whether the person was admitted. */
      function admissions(verificationId: string): boolean[] {
        const lines = receiver.output().split('\n')
        return lines.filter(line => line.startsWith(verificationId)).map(line => line.includes(' admit'))
      }

      it('accepts an event with either secret, processes it once, and admits on over18 only', async () => {
        const [adult, minor] = [await decided('approve-adult'), await decided('approve-minor')]
        for (const secret of secrets) {
          expect(await post(eventOf(adult), secret)).to.equal(204)
          expect(await post(eventOf(minor), secret)).to.equal(204)
        }
        const last = await decided('decline')
        expect(await post(eventOf(last), secrets[0])).to.equal(204)
        await eventually(() => [adult, minor, last].every(id => admissions(id).length > 0))
        expect([adult, minor, last].map(admissions)).to.deep.equal([[true], [false], [false]])
      })

      it('verifies the bytes that were sent, at once and in chunks', async () => {
        const event = JSON.parse(eventOf(await decided('approve-adult')))
        const body = JSON.stringify({ note: 'Zoë', ...event }, null, 2).replace('approved', '\\u0061pproved')
        for (const inChunks of withoutChunks ? [false] : [false, true]) {
          expect(await send(body, signEvent(body, secrets[0]), { inChunks })).to.equal(204)
        }
      })

      it('responds with 401 to what is not authentic, and does nothing, as with an old event', async () => {
        const id = await decided('approve-adult')
        const old = eventOf(id, new Date(Date.now() - 25 * 3_600_000))
        expect(await post(old, secrets[0])).to.equal(respondsFirst ? 204 : 401)
        expect(await post(eventOf(id), 'whsec_another')).to.equal(401)
        for (const signature of [undefined, '', 'zz', 'é'.repeat(32)]) {
          expect(await send(eventOf(id), signature)).to.equal(401)
        }
        expect(receiver.output()).not.to.contain(id)
      })

      if (respondsFirst) return
      it("fails if it can't process an authentic event, so that it is sent again", async () => {
        const status = await post(eventOf(newId(new Date())), secrets[0]).catch(() => 'lost')
        expect(status).to.be.oneOf([404, 500, 'lost'])
      })
    })
  }
})
