import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { demoUsers } from '#development/demo-users.ts'
import { startPostgres } from '#development/postgres/start-postgres.ts'
import { startSignIn } from '#development/sign-in/start-sign-in.ts'
import { startVeriffSimulator } from '#development/veriff-simulator/start-veriff-simulator.ts'
import { freePort } from '#server/http/free-port.ts'
import { installedChromium, launchChromium } from '../../browser/browser/chromium.ts'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { redisServer } from '../../harness/engines/redis.ts'
import { createRedisServers } from '../../harness/engines/redis-servers.ts'
import { eventually } from '../../harness/eventually.ts'
import { launchService } from '../../harness/processes/service-process.ts'
import { sharedResource } from '../../harness/run/shared-resources.ts'
import { describeWith, runProgram } from '../../harness/system-program.ts'
import { tenantClient } from '../../harness/tenant-client.ts'
import { adaptPaths, leadTo, readEnvironment } from './compose-folder.ts'
import { caddy, openssl, psql, runCaddy } from './programs.ts'

const needed = [caddy, openssl, psql, redisServer, installedChromium]

describeWith(needed, 'deploy/compose.yaml without containers, from empty volumes', function () {
  this.timeout(180_000)
  const folder = temporaryFolder()
  const closing = new AsyncDisposableStack()
  const veriff = { apiKey: '00000000-0000-4000-8000-000000000000', sharedSecret: 'from-veriff' }
  let deploy: string
  let app: string
  let ports: { api: number; proxy: number }
  let publicUrl: string
  let veriffUrl: string

  before('prepare it, and start what it starts', async () => {
    deploy = join(folder.path, 'deploy')
    await cp('deploy', deploy, { recursive: true })
    app = join(await sharedResource<string>('image'), 'app')
    ports = { api: await freePort(), proxy: await freePort() }
    publicUrl = `https://localhost:${ports.proxy}`
    const issuer = await startProvider()
    await runProgram(join(deploy, 'compose/prepare.sh'), [`localhost:${ports.proxy}`, issuer])
    veriffUrl = await startVeriff()
    await leadTo(deploy, 'postgres', await startDatabase())
    await leadTo(deploy, 'redis', await startRedis())
    await operate('migration', 'database', 'migrate')
    await launch('worker')
    await launch('api', { PORT: String(ports.api) })
    await startProxy()
  })
  after(() => closing.disposeAsync())

  it('a user signs in, and sees the tenant in the dashboard', async () => {
    const { tenantId } = await operate('worker', 'tenant', 'create', '--name', 'First tenant')
    await operate(
      'worker',
      'member',
      'add',
      '--tenant',
      tenantId,
      '--subject',
      'first-owner',
      '--role',
      'owner',
    )
    const browser = await launchChromium()
    closing.defer(() => browser.close())
    const context = await browser.newContext({ ignoreHTTPSErrors: true })
    const page = await context.newPage()
    await page.goto(`${publicUrl}/dashboard/`)
    const field = page.getByRole('textbox', { name: 'Sign in as another user' })
    await field.fill('first-owner')
    await field.press('Enter')
    await page.getByText('First tenant').first().waitFor()
    expect(new URL(page.url()).origin).to.equal(publicUrl)
    await context.close()
  })

  it('a verification gets its result', async () => {
    const { tenantId } = await operate('worker', 'tenant', 'create', '--name', 'Second tenant')
    const { apiKey } = await operate('worker', 'key', 'create', '--tenant', tenantId, '--name', 'key')
    const client = tenantClient({ baseUrl: `http://127.0.0.1:${ports.api}`, veriffUrl }, { apiKey })
    const verificationId = await client.decided('approve-adult')
    const read = async () => (await client.status(verificationId)).body
    expect(await eventually(read, { until: body => body.status === 'approved' })).to.include({ over18: true })
  })

  async function operate(name: string, ...args: string[]) {
    const command = ['operator/main.ts', ...args, '--json']
    const { stdout } = await runProgram(process.execPath, command, {
      cwd: app,
      env: readEnvironment(deploy, name, { VERIFF_BASE_URL: veriffUrl }),
    })
    return JSON.parse(stdout)
  }

  async function launch(name: string, own: Record<string, string> = {}): Promise<void> {
    const METRICS_PORT = String(await freePort())
    const service = launchService({
      command: [process.execPath, 'server/main.ts'],
      cwd: app,
      port: ports.api,
      dataFolder: join(folder.path, 'no-data'),
      env: {
        ...readEnvironment(deploy, name, { VERIFF_BASE_URL: veriffUrl }),
        HOST: '127.0.0.1',
        METRICS_PORT,
        ...own,
      },
    })
    closing.defer(async () => {
      service.signal('SIGTERM')
      await service.ended
    })
    await service.up()
  }

  async function startProvider(): Promise<string> {
    const { issuer, close } = await startSignIn({
      port: 0,
      clientId: 'dashboard',
      audience: `${publicUrl}/console`,
      users: demoUsers,
      redirectUris: [`${publicUrl}/dashboard/sign-in/callback`],
      postLogoutRedirectUris: [`${publicUrl}/dashboard/`],
      dashboardOrigins: [publicUrl],
      origins: [publicUrl],
      publicUrl,
    })
    closing.defer(close)
    return issuer
  }

  async function startVeriff(): Promise<string> {
    await writeFile(join(deploy, 'compose/secrets/veriff-api-key'), veriff.apiKey)
    await writeFile(join(deploy, 'compose/secrets/veriff-shared-secret'), veriff.sharedSecret)
    const { baseUrl, close } = await startVeriffSimulator({
      port: 0,
      apiKey: veriff.apiKey,
      sharedSecrets: [veriff.sharedSecret],
      webhookUrl: `http://127.0.0.1:${ports.api}/verify/callback`,
      publicUrl,
      origins: [publicUrl],
    })
    closing.defer(close)
    return baseUrl
  }

  /** Runs the script of an empty volume as the superuser. */
  async function startDatabase(): Promise<string> {
    const { url, close } = await startPostgres({
      folder: folder.path,
      port: 0,
      databaseName: 'unused',
      durable: false,
    })
    closing.defer(close)
    const { port, password, host } = new URL(url)
    const script = await adaptPaths(deploy, 'compose/init-postgres.sh')
    const env = { PATH: process.env.PATH, PGHOST: '127.0.0.1', PGPORT: port, PGPASSWORD: password }
    await runProgram('/bin/sh', [script], { env })
    return host
  }

  async function startRedis(): Promise<string> {
    const script = await adaptPaths(deploy, 'compose/start-redis.sh', text =>
      text.replace('exec redis-server', '$& "$@"'),
    )
    const servers = await createRedisServers(script)
    closing.defer(servers.close)
    const password = await readFile(join(deploy, 'compose/secrets/redis-password'), 'utf8')
    const { port } = await servers.start([], { name: 'verification', password })
    return `127.0.0.1:${port}`
  }

  async function startProxy(): Promise<void> {
    const file = await adaptPaths(deploy, 'compose/Caddyfile', text =>
      text.replace('api:3000', `127.0.0.1:${ports.api}`),
    )
    await runCaddy(file, { folder: folder.path, env: { VERIFY_HOST: `localhost:${ports.proxy}` }, closing })
  }
})
