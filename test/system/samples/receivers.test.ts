import { once } from 'node:events'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect } from 'chai'
import { newId } from '#domain/ids.ts'
import { forTenant } from '#domain/scope.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { completedEvent } from '#domain/webhook/completed-event.ts'
import { signEvent } from '#domain/webhook/signature.policy.ts'
import { useSamples } from '../../documents/samples.ts'
import { eventually } from '../../harness/eventually.ts'
import { connectTo, sendRaw } from '../../harness/raw-http.ts'
import type { Packed } from '../../harness/run/packed-clients.ts'
import { sharedResource } from '../../harness/run/shared-resources.ts'
import { describeWith, findPython, runProgram } from '../../harness/system-program.ts'
import { control, tenantClient } from '../../harness/tenant-client.ts'
import { useOpened } from '../../harness/use-opened.ts'
import { useService, useTenant } from '../../harness/use-service.ts'
import { compile } from '../compile.ts'
import { startHeldService } from './held-service.ts'
import { startReceiver } from './run-sample.ts'

interface Receiver {
  file: string
  /** From npm's or Python's registry, in place of what the project, or Debian, has. */
  packages?: string[]
  /** What runs it, after its program. HOME is the folder that has the packages. */
  command?: string
  /** Variables without which it does not start, besides the secrets. */
  required?: string[]
  /** How it responds to a body without a length. */
  chunked?: number
  /** Whether its surroundings end with the response. */
  decidesFirst?: boolean
}

const flask = '-m flask --app FILE run --port $PORT'
const uvicorn = '-m uvicorn --app-dir HOME/python --port $PORT fastapi_app:app'
const newest = ['flask', 'fastapi', 'uvicorn', 'django', 'httpx']
const serve = `${resolve('test/system/samples/serve-handler.mjs')} FILE`
const nest = (version: string) =>
  ['common', 'core', 'platform-express'].map(name => `@nestjs/${name}@${version}`)
const next = 'HOME/node_modules/next/dist/bin/next start HOME -p $PORT'
const react = (version: string) => ['react', 'react-dom'].map(name => `${name}@${version}`)
const receivers: Receiver[] = [
  { file: 'receiver.mjs', required: ['SERVICE_URL', 'API_KEY'] },
  { file: 'receiver.py', required: ['SERVICE_URL', 'API_KEY'] },
  { file: 'python/flask_app.py', command: flask },
  { file: 'python/flask_app.py', command: flask, packages: newest },
  { file: 'python/fastapi_app.py', command: uvicorn },
  { file: 'python/fastapi_app.py', command: uvicorn, packages: newest },
  { file: 'python/django_project.py', chunked: 411 },
  { file: 'python/django_project.py', chunked: 411, packages: newest },
  { file: 'python/serve_lambda.py', decidesFirst: true },
  { file: 'typescript/node.js' },
  { file: 'typescript/fetch.js', command: serve },
  { file: 'typescript/express.js' },
  { file: 'typescript/express.js', packages: ['express@4.22.3'] },
  { file: 'typescript/koa.js' },
  { file: 'typescript/koa.js', packages: ['koa@2.16.4'] },
  { file: 'typescript/fastify.js' },
  { file: 'typescript/fastify.js', packages: ['fastify@4.29.1'] },
  { file: 'typescript/hono.js', command: serve },
  { file: 'typescript/nest-main.js', packages: nest('10.4.22') },
  { file: 'typescript/nest-main.js', packages: nest('11.2.10') },
  {
    file: 'typescript/vercel.js',
    command: next,
    packages: ['next@14.2.35', '@vercel/functions@3.9.9', ...react('18.3.1')],
  },
  { file: 'typescript/next.js', command: next, packages: ['next@16.4.6', ...react('19.3.1')] },
  { file: 'typescript/workers.js', command: serve },
  { file: 'typescript/lambda.js', command: `${serve} rest`, decidesFirst: true },
  { file: 'typescript/lambda.js', command: `${serve} http`, decidesFirst: true },
  { file: 'typescript/lambda.js', command: `${serve} balancer`, decidesFirst: true },
]

/** Those that read their settings; the others have them of one of these. */
const withOwnSettings = ['receiver.mjs', 'receiver.py', 'python/flask_app.py', 'typescript/node.js']

const modules = ['flask', 'fastapi', 'uvicorn', 'django', 'httpx', 'pip']
const python = findPython(...modules)
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
describe('The receivers in the documents', () => {
  const service = useService()
  const tenant = useTenant(service)
  const folder = useSamples()
  const asked = useOpened(() => startHeldService(service))
  /** Verifications of adults, in the order of the tests, and those of a minor and of somebody who was declined. */
  let adults: string[]
  let others: string[]
  before('complete verifications, and copy what runs the receivers of frameworks', async () => {
    const decided = (outcome: string) => tenantClient(service, tenant).decided(outcome)
    adults = await Promise.all(Array.from({ length: 4 }, () => decided('approve-adult')))
    others = await Promise.all(['approve-minor', 'decline'].map(decided))
    await cp(surroundings, folder(), { recursive: true })
  })

  function eventOf(verificationId: string, at = new Date()): string {
    const verification = { verificationId, status: 'approved', confidence: 1, provider: 'veriff' } as const
    return completedEvent({ tenantId: tenant.tenantId, ...verification }, at)
  }

  for (const { file, packages, command = 'FILE', required = [], chunked = 204, decidesFirst } of receivers) {
    const isPython = file.endsWith('.py')
    const rejectsOld = file.includes('/') // As the clients do.
    const requirement = { isMissing: isPython && !python, reason: `no python3 with ${modules.join(', ')}` }
    describeWith([requirement], [file, command.split('FILE ')[1], packages?.[0]].join(' '), () => {
      let home: string
      const settings = (): Record<string, string> => ({
        SERVICE_URL: asked.url,
        API_KEY: tenant.apiKey,
        WEBHOOK_SECRETS: ` ${secrets.join(' ,\t')}\n`,
        ...(isPython && packages && { PYTHONPATH: `${join(home, 'python')}:${resolve('clients/python')}` }),
      })
      let args: string[]
      const receiver = useOpened(async () => {
        home = packages ? await install(packages, file, folder(), settings) : folder()
        const paths = command.replaceAll('HOME', home).replace('FILE', join(home, file))
        args = [isPython ? python! : process.execPath, ...paths.split(' ')]
        const started = await startReceiver(args, settings())
        return { ...started, close: () => started.stop() }
      })

      const post = (body: string, secret: string) => send(body, signEvent(body, secret))

      async function send(body: string, signature?: string, inChunks = false): Promise<number> {
        const type = { 'content-type': 'application/json', 'x-webhook-event': 'verification.completed' }
        const headers = { ...type, ...(signature !== undefined && { 'x-webhook-signature': signature }) }
        const chunks = ReadableStream.from([body.slice(0, 10), body.slice(10)].map(text => Buffer.from(text)))
        const init = { method: 'POST', headers, body: inChunks ? chunks : body, duplex: 'half' }
        return (await fetch(receiver.url, init as RequestInit)).status
      }

      /** Of a receiver with another value, or without it: whether it names the variable and ends. */
      async function isRefused(variable: string, value?: string): Promise<boolean> {
        const { [variable]: _, ...others } = settings()
        const env = value === undefined ? others : { ...others, [variable]: value }
        const tried = await startReceiver(args, env)
        await tried.stop()
        return (await tried.ended) === 1 && tried.output().includes(variable)
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

      const itGoesOn = decidesFirst ? () => {} : it
      itGoesOn('responds before it decides, also while the service hangs', async () => {
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

      it('admits nobody on what only looks like over18, is about another verification, or elsewhere', async () => {
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
          for (const answered of [200, 302]) {
            const id = newId(new Date())
            const before = receiver.output().length
            const verificationId = answered === 302 ? id : adults[0]
            asked.answerWith(JSON.stringify({ verificationId, ...status, over18: true }), answered)
            expect(await post(eventOf(id), secrets[0])).to.equal(204)
            await eventually(() => receiver.output().includes('Error', before))
            expect(admissions(id)).to.deep.equal([])
          }
        } finally {
          asked.answerWith()
        }
      })

      it('verifies the bytes that were sent, at once and in chunks', async () => {
        const event = JSON.parse(eventOf(adults[3]!))
        const body = JSON.stringify({ note: 'Zoë', ...event }, null, 2).replace('approved', '\\u0061pproved')
        const signature = signEvent(body, secrets[0])
        expect(await send(body, signature)).to.equal(204)
        // One that doesn't read them can close the connection before they are sent.
        expect(await send(body, signature, true).catch(() => 411)).to.equal(chunked)
      })

      it('responds with 400 to a signed body that is no JSON', async () => {
        for (const body of ['{"event":', '']) expect(await post(body, secrets[0])).to.equal(400)
      })

      it('responds with 401 to what is not authentic, and does nothing, as with an old event', async () => {
        const id = newId(new Date())
        const old = eventOf(id, new Date(Date.now() - 25 * 3_600_000))
        expect(await post(old, secrets[0])).to.equal(rejectsOld ? 401 : 204)
        for (const secret of ['whsec_another', '', ' ', '   ', '\t', ',', secrets.join(',')]) {
          expect(await post(eventOf(id), secret), secret).to.equal(401)
        }
        for (const body of [eventOf(id), '{}', '']) {
          for (const signature of [undefined, '', 'zz', 'é'.repeat(32), signEvent(id, secrets[0])])
            expect(await send(body, signature), body).to.equal(401)
        }
        // As curl sends nothing, without a Content-Length.
        const nothing = 'POST /webhooks HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
        expect((await sendRaw(receiver.url, nothing, { untilClosed: true })).status).to.equal(401)
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
          expect(await isRefused(variable, '')).to.equal(true)
        })
      }

      if (withOwnSettings.includes(file) && !packages)
        it('does not start with a secret that anybody can sign with', async () => {
          for (const value of wrongSecrets)
            expect(await isRefused('WEBHOOK_SECRETS', value), value).to.equal(true)
        })

      if (command === next)
        it('shows each status as it is, and never one that Next.js has kept', async () => {
          const id = (await tenantClient(service, tenant).start()).body.verificationId
          const page = async () => await (await fetch(new URL(`/status/${id}`, receiver.url))).text()
          expect(await page()).to.contain('it is pending null')
          await control(service, id, 'decide', { outcome: 'approve-adult' })
          expect(await page()).to.contain('it is approved true')
          await revokeToken(forTenant(service.operator(), tenant.tenantId), { verificationId: id })
          expect(await page()).to.contain('it is approved null')
        })
    })
  }
})

/** What runs the samples that need more than themselves. */
const surroundings = 'test/system/samples/surroundings'
const installed = new Map<string, Promise<void>>()

/** Returns the path of a folder below that of the samples, which has these packages beside the samples. */
async function install(packages: string[], file: string, folder: string, env: () => Record<string, string>) {
  const home = join(folder, packages.join('+').replaceAll(/[@/]/g, '-'))
  const installByNpm = () => installPackages(packages, file, home, env())
  const installing =
    installed.get(home) ?? (file.endsWith('.py') ? installByPip(packages, home) : installByNpm())
  installed.set(home, installing)
  await installing
  return home
}

async function installByPip(packages: string[], home: string): Promise<void> {
  await copySamples(home)
  const options = ['--quiet', '--retries', '0', '--target', join(home, 'python')]
  await runProgram(python!, ['-m', 'pip', 'install', ...options, ...packages])
}

async function installPackages(packages: string[], file: string, home: string, env: Record<string, string>) {
  await copySamples(home)
  await writeFile(join(home, 'package.json'), '{ "type": "module" }')
  const { tarball } = await sharedResource<Packed>('clients')
  const options = ['--ignore-scripts', '--no-audit', '--no-fund']
  await runProgram('npm', ['install', ...options, tarball, ...packages], { cwd: home })
  if (file === 'typescript/nest-main.js') {
    const strict = {
      module: 'nodenext',
      target: 'es2023',
      strict: true,
      noImplicitAny: false,
      types: ['node'],
    }
    const options = { ...strict, experimentalDecorators: true, skipLibCheck: true }
    expect(await compile(home, options, ['typescript/nest.ts'])).to.equal('')
  } else if (packages[0]!.startsWith('next@')) {
    await mkdir(join(home, 'app/webhooks'))
    await writeFile(join(home, 'app/webhooks/route.js'), `export { POST } from '../../${file}'`)
    const args = ['node_modules/next/dist/bin/next', 'build']
    await runProgram(process.execPath, args, { cwd: home, env: { PATH: process.env.PATH, ...env } })
  }
}

async function copySamples(home: string): Promise<void> {
  for (const folder of ['docs/samples', surroundings]) await cp(folder, home, { recursive: true })
}
