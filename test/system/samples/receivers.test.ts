import { once } from 'node:events'
import { cp, readFile } from 'node:fs/promises'
import { dirname, extname, join, resolve } from 'node:path'
import { expect } from 'chai'
import { newId } from '#domain/ids.ts'
import { completedEvent } from '#domain/webhook/completed-event.ts'
import { signEvent } from '#domain/webhook/signature.policy.ts'
import { useSamples } from '../../documents/samples.ts'
import { eventually } from '../../harness/eventually.ts'
import { connectTo } from '../../harness/raw-http.ts'
import { describeWith, findPython, type Requirement } from '../../harness/system-program.ts'
import { tenantClient } from '../../harness/tenant-client.ts'
import { useService, useTenant } from '../../harness/use-service.ts'
import { useHeldService } from './held-service.ts'
import { type RunningReceiver, startReceiver } from './run-sample.ts'

interface Receiver {
  file: string
  withoutChunks?: boolean
  /** Whether an event that is too old gets 401. */
  rejectsOld?: boolean
  /** Variables without which it does not start, besides the secrets. */
  required?: string[]
  /** Whether it reads its settings as one above does, so that one that is wrong is enough. */
  sharesSettings?: boolean
  /** What runs it, after its program; the file itself by default. */
  args?: (file: string) => string[]
}

const receivers: Receiver[] = [
  { file: 'receiver.mjs', required: ['SERVICE_URL', 'API_KEY'] },
  { file: 'receiver.py', withoutChunks: true, required: ['SERVICE_URL', 'API_KEY'] },
  {
    file: 'python/flask_app.py',
    rejectsOld: true,
    args: file => ['-m', 'flask', '--app', file, 'run', '--port', '$PORT'],
  },
  {
    file: 'python/fastapi_app.py',
    rejectsOld: true,
    sharesSettings: true,
    args: file => ['-m', 'uvicorn', '--app-dir', dirname(file), '--port', '$PORT', 'fastapi_app:app'],
  },
  { file: 'typescript/node.js', rejectsOld: true },
  { file: 'typescript/fetch.js', rejectsOld: true, sharesSettings: true, args: serveHandler },
  { file: 'typescript/express.js', rejectsOld: true, sharesSettings: true },
  { file: 'typescript/koa.js', rejectsOld: true, sharesSettings: true },
  { file: 'typescript/fastify.js', rejectsOld: true, sharesSettings: true },
  { file: 'typescript/hono.js', rejectsOld: true, sharesSettings: true, args: serveHandler },
  { file: 'typescript/next.js', rejectsOld: true, sharesSettings: true, args: serveHandler },
]
/** For a file that exports a handler of web requests. */
function serveHandler(file: string): string[] {
  return [resolve('test/system/samples/serve-handler.mjs'), file]
}

const python = findPython('flask', 'fastapi', 'uvicorn', 'httpx')
const secrets = ['whsec_the-new-one', 'whsec_the-old-one'] as const
/** Each has a part that anybody can sign with, such as what tools print where nothing is set, or the quotes of a file of variables. */
const wrongSecrets = [
  undefined,
  '',
  '   ',
  ',',
  'whsec_a,',
  ',whsec_a',
  'whsec_a,,whsec_b',
  'whsec_a,   ,whsec_b',
  '"whsec_a"',
  'undefined',
  'null',
  'whsec_a,None',
  'whsec_',
]
/** Receivers as the README of each client says for each framework. */
const frameworks = 'test/system/samples/frameworks'

describe('The receivers in the documents', () => {
  const service = useService()
  const tenant = useTenant(service)
  const folder = useSamples()
  const asked = useHeldService(service)
  /** Verifications of adults, in the order of the tests, and those of a minor and of somebody who was declined. */
  let adults: string[]
  let others: string[]
  before('complete verifications, and copy the receivers for frameworks', async () => {
    const decided = (outcome: string) => tenantClient(service, tenant).decided(outcome)
    adults = await Promise.all(Array.from({ length: 4 }, () => decided('approve-adult')))
    others = await Promise.all(['approve-minor', 'decline'].map(decided))
    for (const client of ['typescript', 'python'])
      await cp(join(frameworks, client), join(folder(), client), { recursive: true })
  })

  function eventOf(verificationId: string, at = new Date()): string {
    const verification = { verificationId, status: 'approved', confidence: 1, provider: 'veriff' } as const
    return completedEvent({ tenantId: tenant.tenantId, ...verification }, at)
  }

  for (const { file, withoutChunks, rejectsOld, sharesSettings, required = [], args } of receivers) {
    describeWith([requirementOf(file)], file, () => {
      const settings = () => ({
        SERVICE_URL: asked.url,
        API_KEY: tenant.apiKey,
        WEBHOOK_SECRETS: ` ${secrets.join(' ,\t')}\n`,
      })
      const receiver = useReceiver(() => prepare(join(folder(), file), args), settings)

      const post = (body: string, secret: string, to = receiver.url) =>
        send(body, signEvent(body, secret), { to })

      async function send(
        body: string,
        signature?: string,
        { inChunks = false, to = receiver.url } = {},
      ): Promise<number> {
        const type = { 'content-type': 'application/json', 'x-webhook-event': 'verification.completed' }
        const headers = { ...type, ...(signature !== undefined && { 'x-webhook-signature': signature }) }
        const chunks = ReadableStream.from([body.slice(0, 10), body.slice(10)].map(text => Buffer.from(text)))
        const init = { method: 'POST', headers, body: inChunks ? chunks : body, duplex: 'half' }
        return (await fetch(to, init as RequestInit)).status
      }

      /** Of a receiver with other settings: how it responds to events with forged signatures, and what it names. */
      async function outcomeWith(changes: Record<string, string | undefined>) {
        const env = Object.entries({ ...settings(), ...changes }).filter(([, value]) => value !== undefined)
        const tried = await startReceiver(receiver.command, Object.fromEntries(env) as Record<string, string>)
        const event = eventOf(newId(new Date()))
        const sent = ['', '   ', 'whsec_a', 'null'].map(secret =>
          post(event, secret, tried.url).catch(() => 'no response'),
        )
        const responses = await Promise.all(sent)
        await tried.stop()
        const names = Object.keys(changes).filter(name => tried.output().includes(name))
        return { responses, names, exitCode: await tried.ended }
      }

      function configurationError(name: string): Awaited<ReturnType<typeof outcomeWith>> {
        return { responses: Array(4).fill('no response'), names: [name], exitCode: 1 }
      }

      /** Of each time that a verification was decided, whether the person was admitted. */
      function admissions(verificationId: string): boolean[] {
        const decisions = receiver.output().matchAll(/([\da-f-]{36}) (admit|refuse)/g)
        return [...decisions].filter(([, id]) => id === verificationId).map(([, , word]) => word === 'admit')
      }

      /** Until each was decided. */
      async function areDecided(...ids: string[]): Promise<void> {
        await eventually(() => ids.every(id => admissions(id).length > 0))
      }

      it('accepts an event with either secret, decides once, and admits on over18 only', async () => {
        const ids = [adults[0]!, ...others]
        for (const secret of secrets) {
          for (const id of ids) expect(await post(eventOf(id), secret)).to.equal(204)
        }
        await areDecided(...ids)
        expect(ids.map(admissions)).to.deep.equal([[true], [false], [false]])
      })

      it('responds before it decides, also while the service hangs', async () => {
        asked.hold()
        try {
          const id = adults[1]!
          expect(await post(eventOf(id), secrets[0])).to.equal(204)
          expect(admissions(id)).to.deep.equal([])
          asked.release()
          await areDecided(id)
        } finally {
          asked.release()
        }
      })

      it('ignores types of events that it does not know, before the one that it knows', async () => {
        const id = adults[2]!
        const opened = eventOf(id).replace('verification.completed', 'verification.opened')
        expect(await post(opened, secrets[0])).to.equal(204)
        expect(await post(eventOf(id), secrets[0])).to.equal(204)
        await areDecided(id)
        expect(admissions(id)).to.deep.equal([true])
      })

      it('admits nobody on what only looks like over18', async () => {
        const lookalikes = [
          { over18: 'true' },
          { over18: 1 },
          { Over18: true, OVER18: true, over18: null },
          { data: { over18: true }, over18: false },
        ]
        const at = new Date().toISOString()
        const status = { status: 'approved', confidence: 1, createdAt: at, completedAt: at, token: 'eyJ' }
        try {
          for (const lookalike of lookalikes) {
            const verificationId = newId(new Date())
            asked.answerWith(JSON.stringify({ verificationId, ...status, ...lookalike }))
            expect(await post(eventOf(verificationId), secrets[0])).to.equal(204)
            await areDecided(verificationId)
            expect(admissions(verificationId), JSON.stringify(lookalike)).to.deep.equal([false])
          }
        } finally {
          asked.answerWith()
        }
      })

      it('verifies the bytes that were sent, at once and in chunks', async () => {
        const event = JSON.parse(eventOf(adults[3]!))
        const body = JSON.stringify({ note: 'Zoë', ...event }, null, 2).replace('approved', '\\u0061pproved')
        for (const inChunks of withoutChunks ? [false] : [false, true]) {
          expect(await send(body, signEvent(body, secrets[0]), { inChunks })).to.equal(204)
        }
      })

      it('responds with 400 to a signed body that is no JSON', async () => {
        expect(await post('{"event":', secrets[0])).to.equal(400)
      })

      it('responds with 401 to what is not authentic, and does nothing, as with an old event', async () => {
        const id = newId(new Date())
        const old = eventOf(id, new Date(Date.now() - 25 * 3_600_000))
        expect(await post(old, secrets[0])).to.equal(rejectsOld ? 401 : 204)
        for (const secret of ['whsec_another', '', ' ', '   ', '\t', ',', secrets.join(',')]) {
          expect(await post(eventOf(id), secret), secret).to.equal(401)
        }
        for (const signature of [undefined, '', 'zz', 'é'.repeat(32)]) {
          expect(await send(eventOf(id), signature)).to.equal(401)
        }
        expect(receiver.output()).not.to.contain(id)
      })

      it('goes on after a request that its sender cuts off', async () => {
        const socket = await connectTo(receiver.url)
        socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{')
        await once(socket.end().resume(), 'close')
        expect(await send(eventOf(newId(new Date())), '')).to.equal(401)
      })

      for (const variable of required) {
        it(`does not start without ${variable}`, async () => {
          expect(await outcomeWith({ [variable]: '' })).to.deep.equal(configurationError(variable))
        })
      }

      it('does not start with a secret that anybody can sign with', async () => {
        for (const value of sharesSettings ? [''] : wrongSecrets) {
          const outcome = await outcomeWith({ WEBHOOK_SECRETS: value })
          expect(outcome, value).to.deep.equal(configurationError('WEBHOOK_SECRETS'))
        }
      }).timeout(120_000)
    })
  }

  for (const [client, names] of [
    ['typescript', ['express.js', 'koa.js', 'fastify.js', 'hono.js', 'next.js']],
    ['python', ['flask_app.py', 'fastapi_app.py']],
  ] as const) {
    it(`for the frameworks of the ${client} client have the code that its README shows`, async () => {
      const readme = await readFile(`clients/${client}/README.md`, 'utf8')
      const table = /^\| framework \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(readme)![1]!
      const rows = table.trimEnd().split('\n')
      expect(rows).to.have.length(names.length)
      for (const [at, name] of names.entries()) {
        const [, framework = '', shown = ''] = /^\| (\S+) \| (.*) \|$/.exec(rows[at]!)!
        expect(name.startsWith(framework.toLowerCase().replace('.js', '')), framework).to.equal(true)
        const text = await readFile(join(frameworks, client, name), 'utf8')
        const parts = [...shown.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replace(', …)', ''))
        expect(parts).not.to.deep.equal([])
        for (const part of parts) expect(text, name).to.contain(part)
      }
    })
  }
})

/** A receiver that runs during the surrounding suite. */
function useReceiver(prepare: () => string[], readSettings: () => Record<string, string>) {
  let command: string[]
  let receiver: RunningReceiver | undefined
  before('start it', async () => {
    command = prepare()
    receiver = await startReceiver(command, readSettings())
  })
  after('stop it', () => receiver?.stop())
  return {
    get command() {
      return command
    },
    get url() {
      return receiver!.url
    },
    output: () => receiver!.output(),
  }
}

/** The command that runs the receiver in the file. */
function prepare(file: string, args: Receiver['args'] = () => [file]): string[] {
  return [file.endsWith('.py') ? python! : process.execPath, ...args(file)]
}

function requirementOf(file: string): Requirement {
  const reason = 'no python3 with flask, fastapi, uvicorn'
  return { isMissing: extname(file) === '.py' && !python, reason }
}
