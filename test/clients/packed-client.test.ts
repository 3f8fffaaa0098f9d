import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { newId } from '#domain/ids.ts'
import { completedEvent } from '#domain/webhook/completed-event.ts'
import { signEvent } from '#domain/webhook/signature.policy.ts'
import { freePort } from '#server/http/free-port.ts'
import { eventually } from '../harness/eventually.ts'
import { describeWith } from '../harness/system-program.ts'
import { call, control, tenantClient } from '../harness/tenant-client.ts'
import { useService, useTenant } from '../harness/use-service.ts'
import { installPackedClient, type PackedClient } from './packed-client.ts'
import { samplesOf } from './readme-samples.ts'
import { runtimes } from './runtimes.ts'
import { runSample, type SampleProcess } from './sample-process.ts'

const samples = samplesOf('clients/typescript/README.md')
const receivers = ['express.js', 'koa.js', 'fastify.js', 'hono.js', 'next.ts']
const secrets = ['whsec_the-new-one', 'whsec_the-old-one'] as const

describe('The packed TypeScript client', function () {
  this.timeout(60_000)
  const service = useService()
  const tenant = useTenant(service)
  let client: PackedClient
  let env: Record<string, string>
  before('pack and install the client', async () => {
    client = await installPackedClient(['express', 'koa', 'fastify', 'hono', 'jose', '@types/node'])
    for (const [file, code] of samples) await writeFile(join(client.folder, file), code)
    env = {
      SERVICE_URL: service.baseUrl,
      API_KEY: tenant.apiKey,
      WEBHOOK_SECRETS: secrets.join(','),
    }
  })
  after('delete it', async () => {
    if (client) await rm(client.folder, { recursive: true })
  })

  const decided = (outcome: string) => tenantClient(service, tenant).decided(outcome)

  it('consists of compiled code, types, the licence and the README', () => {
    const others = client.files.filter(file => !/^dist\/[\w/.-]+\.(js|d\.ts)$/.test(file))
    expect(others.toSorted()).to.deep.equal(['LICENSE', 'README.md', 'package.json'])
    expect(client.files).to.include.members([
      'dist/index.js',
      'dist/index.d.ts',
      'dist/offline/token-verifier.js',
    ])
  })

  it('has types with which the TypeScript samples compile under strict', async () => {
    const options = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2022',
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
    }
    const compilerOptions = { ...options, allowJs: true, types: ['node'] }
    const files = [...samples.keys()].filter(file => file.endsWith('.ts'))
    await writeFile(join(client.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
    const compile = promisify(execFile)(resolve('node_modules/.bin/tsc'), ['-p', client.folder])
    const { stdout } = await compile.catch((error: { stdout: string }) => error)
    expect(stdout).to.equal('')
  })

  for (const runtime of runtimes) {
    const run = (file: string, more: Record<string, string> = {}) => {
      const [command, ...args] = [...runtime.command, file]
      return runSample(command!, args, { env: { ...env, ...more }, folder: client.folder })
    }

    describeWith([runtime], `on ${runtime.name}`, () => {
      it('verifies an age as the README shows', async () => {
        const sample = run('verify-age.js')
        await eventually(() => sample.output().includes('Redirect your user to http'))
        const sessions = await call(`${service.veriffUrl}/control/sessions`)
        const { vendorData } = sessions.body.sessions.at(-1)
        await control(service, vendorData, 'decide', { outcome: 'approve-adult' })
        expect(await sample.ended, sample.output()).to.equal(0)
        expect(sample.output()).to.match(/\nWelcome\nWelcome back\n$/)
      })

      it('verifies tokens offline as the README shows', async () => {
        const outputs = await Promise.all(
          ['approve-adult', 'approve-minor'].map(async outcome => {
            const { body } = await tenantClient(service, tenant).status(await decided(outcome))
            const sample = run('offline.js', { TOKEN: body.token, TENANT_ID: tenant.tenantId })
            await sample.ended
            return sample.output()
          }),
        )
        expect(outputs).to.deep.equal(['admit\n', 'refuse: UNDERAGE_OR_UNKNOWN\n'])
      })
    })
  }

  describe('in the receivers of the README', () => {
    const urls: Record<string, string> = {}
    let running: SampleProcess
    before('start them', async () => {
      const ports: Record<string, string> = {}
      for (const receiver of receivers) {
        const port = String(await freePort())
        ports[`PORT_${receiver.split('.')[0]!.toUpperCase()}`] = port
        urls[receiver] = `http://127.0.0.1:${port}/webhooks`
      }
      const runner = resolve('test/clients/run-receivers.mjs')
      const options = { env: { ...env, ...ports }, folder: client.folder }
      running = runSample(process.execPath, [runner, client.folder], options)
      for (const url of Object.values(urls)) await eventually(() => fetch(url).then(() => true))
    })
    after('stop them', () => running?.stop())

    for (const receiver of receivers) {
      it(`${receiver} has at most 15 lines`, () => {
        expect(samples.get(receiver)!.trim().split('\n')).to.have.length.of.at.most(15)
      })

      it(`${receiver} accepts an event with either secret, and admits on over18 only`, async () => {
        for (const secret of secrets) {
          const [adult, minor] = [await decided('approve-adult'), await decided('approve-minor')]
          expect(await post(receiver, eventOf(adult), secret)).to.equal(204)
          expect(await post(receiver, eventOf(minor), secret)).to.equal(204)
          await eventually(() => running.output().includes(`${minor} refused`))
          expect(running.output()).to.contain(`${adult} admitted`)
        }
      })

      it(`${receiver} verifies the bytes that were sent`, async () => {
        const id = await decided('approve-adult')
        const body = JSON.stringify({ note: 'Zoë', ...JSON.parse(eventOf(id)) }, null, 2).replace(
          'approved',
          '\\u0061pproved',
        )
        expect(await post(receiver, body, secrets[0])).to.equal(204)
      })

      it(`${receiver} responds with 401 to what is not authentic and recent, and does nothing`, async () => {
        const id = await decided('approve-adult')
        const old = eventOf(id, new Date(Date.now() - 25 * 3_600_000))
        expect(await post(receiver, eventOf(id), 'whsec_another')).to.equal(401)
        expect(await post(receiver, old, secrets[0])).to.equal(401)
        expect(await send(receiver, eventOf(id), {})).to.equal(401)
        expect(await send(receiver, eventOf(id), { 'x-webhook-signature': 'é' })).to.equal(401)
        expect(running.output()).not.to.contain(id)
      })

      it(`${receiver} fails if it can't process an authentic event, so that it is sent again`, async () => {
        const unknown = eventOf(newId(new Date()))
        expect(await post(receiver, unknown, secrets[0])).to.be.oneOf([404, 500])
      })
    }

    const post = (receiver: string, body: string, secret: string) =>
      send(receiver, body, { 'x-webhook-signature': signEvent(body, secret) })

    async function send(receiver: string, body: string, headers: Record<string, string>): Promise<number> {
      const response = await fetch(urls[receiver]!, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-webhook-event': 'verification.completed',
          ...headers,
        },
        body,
      })
      return response.status
    }

    function eventOf(verificationId: string, at = new Date()): string {
      return completedEvent(
        { tenantId: tenant.tenantId, verificationId, status: 'approved', confidence: 1, provider: 'veriff' },
        at,
      )
    }
  })
})
