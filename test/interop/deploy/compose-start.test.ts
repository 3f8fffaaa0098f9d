import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { freePort } from '#server/http/free-port.ts'
import { installedChromium, launchChromium } from '../../browser/browser/chromium.ts'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { redisServer } from '../../harness/engines/redis.ts'
import { eventually } from '../../harness/eventually.ts'
import { launchService } from '../../harness/processes/service-process.ts'
import { sharedResource } from '../../harness/run/shared-resources.ts'
import { signInAs } from '../../harness/sign-in-as.ts'
import { describeWith, runProgram } from '../../harness/system-program.ts'
import { call, tenantClient } from '../../harness/tenant-client.ts'
import { startDatabase, startProxy, startRedis } from './compose-engines.ts'
import { readEnvironment } from './compose-folder.ts'
import { type Receiver, startProvider, startReceiver, startVeriff } from './compose-surroundings.ts'
import { caddy, openssl, psql } from './programs.ts'

const needed = [caddy, openssl, psql, redisServer, installedChromium]

describeWith(needed, 'deploy/compose.yaml without containers, from empty volumes', function () {
  this.timeout(180_000)
  const folder = temporaryFolder()
  const closing = new AsyncDisposableStack()
  let deploy: string
  let app: string
  let ports: { api: number; proxy: number }
  let publicUrl: string
  let apiUrl: string
  let issuer: string
  let veriffUrl: string
  let receiver: Receiver

  before('prepare it, and start what it starts', async () => {
    deploy = join(folder.path, 'deploy')
    await cp('deploy', deploy, { recursive: true })
    app = join(await sharedResource<string>('image'), 'app')
    ports = { api: await freePort(), proxy: await freePort() }
    publicUrl = `https://localhost:${ports.proxy}`
    apiUrl = `http://127.0.0.1:${ports.api}`
    issuer = await startProvider(publicUrl, closing)
    receiver = await startReceiver(folder.path, closing)
    await runProgram(join(deploy, 'compose/prepare.sh'), [`localhost:${ports.proxy}`, issuer])
    veriffUrl = await startVeriff(join(deploy, 'compose/secrets'), `${apiUrl}/verify/callback`, closing)
    await startDatabase(deploy, folder.path, closing)
    await startRedis(deploy, closing)
    await operate('migration', 'database', 'migrate')
    await launch('worker')
    await launch('api')
    await startProxy(deploy, ports, closing)
  })
  after(() => closing.disposeAsync())

  it('a user signs in, and sees the tenant in the dashboard', async () => {
    await createTenant('First tenant', 'first-owner')
    const browser = await launchChromium()
    closing.defer(() => browser.close())
    const page = await browser.newPage({ ignoreHTTPSErrors: true })
    await page.goto(`${publicUrl}/dashboard/`)
    const field = page.getByRole('textbox', { name: 'Sign in as another user' })
    await field.fill('first-owner')
    await field.press('Enter')
    await page.getByText('First tenant').first().waitFor()
    expect(new URL(page.url()).origin).to.equal(publicUrl)
  })

  it('a verification gets its result, and its tenant a signed event', async () => {
    const tenantId = await createTenant('Second tenant', 'second-owner')
    const { apiKey } = await operate('worker', 'key', 'create', '--tenant', tenantId, '--name', 'key')
    const redirectUri = `${publicUrl}/dashboard/sign-in/callback`
    const token = await signInAs(issuer, { clientId: 'dashboard', redirectUri, subject: 'second-owner' })
    await mutate(token, 'settings.setWebhookUrl', { url: receiver.url })
    receiver.secrets.push((await mutate(token, 'settings.revealWebhookSecret')).webhookSecret)
    const client = tenantClient({ baseUrl: apiUrl, veriffUrl }, { apiKey })
    const verificationId = await client.decided('approve-adult')
    const [event] = await eventually(() => receiver.events, { until: events => events.length > 0 })
    expect(event).to.include({ signature: 'valid' })
    expect(event!.body).to.have.nested.property('data.verificationId', verificationId)
    expect((await client.status(verificationId)).body).to.include({ status: 'approved', over18: true })
  })

  async function createTenant(name: string, subject: string): Promise<string> {
    const { tenantId } = await operate('worker', 'tenant', 'create', '--name', name)
    await operate('worker', 'member', 'add', '--tenant', tenantId, '--subject', subject, '--role', 'owner')
    return tenantId
  }

  /** Calls a procedure of the console. */
  async function mutate(token: string, procedure: string, input?: object) {
    const headers = { authorization: `Bearer ${token}` }
    const options = { method: 'POST', headers, json: input ?? {} } as const
    const { status, body } = await call(`${apiUrl}/console/${procedure}`, options)
    expect(status, JSON.stringify(body)).to.equal(200)
    return body.result.data
  }

  async function operate(name: string, ...args: string[]) {
    const env = readEnvironment(deploy, name, { VERIFF_BASE_URL: veriffUrl })
    const command = ['operator/main.ts', ...args, '--json']
    const { stdout } = await runProgram(process.execPath, command, { cwd: app, env })
    return JSON.parse(stdout)
  }

  async function launch(name: string): Promise<void> {
    const local = {
      HOST: '127.0.0.1',
      PORT: String(ports.api),
      METRICS_PORT: String(await freePort()),
      // The receiver is on this machine, with a certificate of its own.
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      WEBHOOK_CA_FILE: receiver.authorityFile,
    }
    const service = launchService({
      command: [process.execPath, 'server/main.ts'],
      cwd: app,
      port: ports.api,
      dataFolder: join(folder.path, 'no-data'),
      env: { ...readEnvironment(deploy, name, { VERIFF_BASE_URL: veriffUrl }), ...local },
    })
    closing.defer(async () => {
      service.signal('SIGTERM')
      await service.ended
    })
    await service.up()
  }
})
