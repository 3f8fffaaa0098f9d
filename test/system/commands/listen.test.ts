import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { CORE_SCHEMA, load } from 'js-yaml'
import { signEvent } from '#domain/webhook/signature.policy.ts'
import { freePort } from '#server/http/free-port.ts'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { eventually } from '../../harness/eventually.ts'
import { listenLocally } from '../../harness/listen-locally.ts'
import { tenantOf } from '../../harness/processes/demo-tenant.ts'
import { operate } from '../../harness/processes/operate.ts'
import { serviceFixture } from '../../harness/processes/service-fixture.ts'
import type { ServiceProcess } from '../../harness/processes/service-process.ts'
import { describeWith, findProgram, runProgram } from '../../harness/system-program.ts'
import { runSample } from '../samples/run-sample.ts'

interface Workflow {
  jobs: Record<string, { env: Record<string, string>; steps: { run?: string; if?: string }[] }>
}

/** A test of the shop that the README of the client shows: its receiver prints what it decides. */
const shopTest = `
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'

const { SERVICE_URL, API_KEY } = process.env
const headers = { 'x-tenant-api-key': API_KEY, 'content-type': 'application/json' }
const post = async (path, body) => {
  const response = await fetch(SERVICE_URL + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return await response.json()
}

for (const [outcome, decision] of [['adult', 'admit'], ['minor', 'refuse'], ['denied', 'refuse']]) {
  test(outcome, { timeout: 60_000 }, async () => {
    const { verificationId } = await post('/verify/start', {})
    await post('/test/verifications/' + verificationId + '/outcome', { outcome })
    while (!(await readFile('shop.log', 'utf8')).includes(verificationId)) await wait(20)
    assert.ok((await readFile('shop.log', 'utf8')).includes(verificationId + ' ' + decision))
  })
}
`

const programs = (...names: string[]) =>
  names.map(name => ({ isMissing: !findProgram(name), reason: `install ${name}` }))

describe('A hosted test tenant without a webhook URL', () => {
  const services = serviceFixture()
  const folder = temporaryFolder()
  const groups: ChildProcess[] = []
  let service: ServiceProcess
  let secrets: { AGE_VERIFICATION_TEST_KEY: string; AGE_VERIFICATION_TEST_WEBHOOK_SECRET: string }

  before(async () => {
    service = await services.start()
    const { tenantId } = await operate(service, 'tenant', 'create', '--name', 'Shop', '--test')
    const { apiKey } = await operate(service, 'key', 'create', '--tenant', tenantId)
    const { webhookSecret } = await operate(service, 'tenant', 'rotate-webhook-secret', '--tenant', tenantId)
    secrets = { AGE_VERIFICATION_TEST_KEY: apiKey, AGE_VERIFICATION_TEST_WEBHOOK_SECRET: webhookSecret }
  })

  describeWith(programs('npm'), 'with the workflow for GitHub Actions', () => {
    beforeEach('a shop that has the client', async () => {
      for (const file of ['node.js', 'receive.js'])
        await cp(`docs/samples/typescript/${file}`, inFolder(file))
      const scripts = { start: 'node node.js', test: 'node --test --test-reporter=tap shop.test.mjs' }
      const shop = { name: 'shop', version: '0.0.0', type: 'module', scripts }
      await writeFile(inFolder('package.json'), JSON.stringify(shop))
      await writeFile(inFolder('shop.test.mjs'), shopTest)
      const tarball = 'age-verification-client-1.0.0.tgz'
      await cp(join('clients/released', tarball), inFolder(tarball))
      await runProgram('npm', ['install', '--package-lock-only', '--offline', '--no-audit', `./${tarball}`], {
        cwd: folder.path,
      })
    })
    afterEach('end what it has left in the background', () => {
      for (const { pid } of groups) kill(pid!)
    })

    it('tests a shop with signed events that only its own machine receives', async () => {
      const port = String(await freePort())
      const workflow = (await readFile('docs/samples/github-actions.yml', 'utf8')).replaceAll('8080', port)
      const { jobs } = load(workflow, { schema: CORE_SCHEMA }) as Workflow
      const { env, steps } = jobs.test!
      const commands = steps.flatMap(({ run = [] }) => run)
      expect(commands).to.have.length(5)
      const outputs: string[] = []
      for (const command of commands) outputs.push(await run(command, env))
      expect(outputs[3]).to.contain('# pass 3').and.contain('# fail 0')
      // What forwards an event hears of it after the shop has logged what it decides.
      const events = async () => (await readFile(inFolder('events.log'), 'utf8')).match(/attempt 1: 204, /g)
      await eventually(events, { until: found => found?.length === 3 })
    })
  })

  describeWith(programs('curl', 'jq'), 'with the shell and without Node', () => {
    it('forwards the events as they were sent', async () => {
      const received: { body: string; signature: unknown; type: unknown }[] = []
      const receiver = await listenLocally(
        createServer(async (request, response) => {
          const { 'x-webhook-signature': signature, 'content-type': type } = request.headers
          received.push({ body: await text(request), signature, type })
          response.writeHead(204).end()
        }),
      )
      const { AGE_VERIFICATION_TEST_KEY: API_KEY, AGE_VERIFICATION_TEST_WEBHOOK_SECRET: secret } = secrets
      const env = { SERVICE_URL: service.baseUrl, API_KEY, FORWARD_TO: receiver.url }
      const sample = runSample(['sh', resolve('docs/samples/listen.sh')], env)
      try {
        await eventually(() => sample.output() === 'Listening\n')
        for (const outcome of ['adult', 'denied']) {
          const { verificationId } = (await tenantOf(service, API_KEY).start()).body
          await tenantOf(service, API_KEY).choose(verificationId, outcome)
          await eventually(() => received.at(-1)?.body.includes(verificationId) === true)
          const { body, signature, type } = received.at(-1)!
          expect({ signature, type }).to.deep.equal({
            signature: signEvent(body, secret),
            type: 'application/json',
          })
        }
        await eventually(() => sample.output() === 'Listening\n204\n204\n')
      } finally {
        await sample.stop()
        await receiver.close()
      }
    })
  })

  const inFolder = (file: string) => join(folder.path, file)

  /** As a runner does, where what is in the background stays until the end of the job. */
  async function run(command: string, variables: Record<string, string>): Promise<string> {
    const fill = (value: string) =>
      value.replace(
        /\$\{\{ secrets\.(\w+) \}\}/,
        (_, name) => (secrets as Record<string, string>)[name] ?? `no secret ${name}`,
      )
    const filled = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, fill(value)]))
    const child = spawn('bash', ['-e', '-c', command], {
      cwd: folder.path,
      env: { PATH: process.env.PATH, HOME: folder.path, ...filled, SERVICE_URL: service.baseUrl },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    groups.push(child)
    const [out, err, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit') as Promise<[number]>,
    ])
    expect(code, `${command}: ${out}${err}`).to.equal(0)
    return out
  }

  function kill(pid: number): void {
    try {
      process.kill(-pid)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
})
