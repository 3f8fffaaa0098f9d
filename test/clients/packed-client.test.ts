import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { freePort } from '#server/http/free-port.ts'
import { eventually } from '../harness/eventually.ts'
import { describeWith } from '../harness/system-program.ts'
import { call, control, tenantClient } from '../harness/tenant-client.ts'
import { useService, useTenant } from '../harness/use-service.ts'
import { describeReceiver, secrets } from './describe-receiver.ts'
import { installPackedClient, type PackedClient, runtimes } from './packed-client.ts'
import { runSample, type SampleProcess, samplesOf } from './samples.ts'

const samples = samplesOf('clients/typescript/README.md')
const receivers = ['express.js', 'koa.js', 'fastify.js', 'hono.js', 'next.ts']

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

    it('have at most 15 lines each', () => {
      for (const receiver of receivers)
        expect(samples.get(receiver)!.trim().split('\n'), receiver).to.have.length.of.at.most(15)
    })

    for (const name of receivers) {
      const receiver = () => ({ url: urls[name]!, output: running.output })
      describeReceiver(name, { service, tenant, receiver })
    }
  })
})
