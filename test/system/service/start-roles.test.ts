import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { startVeriffSimulator } from '#development/veriff-simulator/start-veriff-simulator.ts'
import { freePort } from '#server/http/free-port.ts'
import { tenantOf } from '#test/harness/processes/demo-tenant.ts'
import { operate } from '#test/harness/processes/operate.ts'
import { externalVariables, serviceFixture } from '#test/harness/processes/service-fixture.ts'
import { type ServiceProcess, untilNone } from '#test/harness/processes/service-process.ts'
import { createTestDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { type ApiResponse, call } from '../../harness/tenant-client.ts'

describe('API and worker as separate processes on one database', () => {
  const fixture = serviceFixture()
  const closing = new AsyncDisposableStack()
  let api: ServiceProcess
  let worker: ServiceProcess
  let metricsUrl: string
  let veriffUrl: string
  let launch: { api(): Promise<ServiceProcess>; worker(): Promise<ServiceProcess> }
  before(async () => {
    const database = await createTestDatabase()
    closing.defer(() => database.close())
    const [port, metricsPort] = await Promise.all([freePort(), freePort()])
    const [apiKey, secret] = [randomUUID(), randomUUID()]
    const simulator = await startVeriffSimulator({
      port: 0,
      apiKey,
      sharedSecrets: [secret],
      webhookUrl: `http://127.0.0.1:${port}/verify/callback`,
    })
    closing.defer(() => simulator.close())
    veriffUrl = simulator.baseUrl
    const veriff = { baseUrl: veriffUrl, apiKey, sharedSecret: secret }
    const WEBHOOK_ALLOWED_NETWORKS = '127.0.0.0/8'
    const env = { ...externalVariables(database.url, veriff), WEBHOOK_ALLOWED_NETWORKS }
    metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`
    const METRICS_PORT = String(metricsPort)
    launch = {
      api: () => fixture.start({ name: 'api', port, env: { ...env, ROLE: 'api' } }),
      worker: () => fixture.start({ name: 'worker', env: { ...env, ROLE: 'worker', METRICS_PORT } }),
    }
  })
  beforeEach('start what is not running', async () => {
    if (api?.isRunning() && worker?.isRunning()) return
    ;[api, worker] = await Promise.all([launch.api(), launch.worker()])
  })
  after(() => closing.disposeAsync())

  const metric = async (line: RegExp) => {
    const { body } = await call(metricsUrl)
    return Number(line.exec(body)?.[1])
  }

  it('serve the worker’s health on its metrics port, and ROUTE_NOT_FOUND for anything but that and metrics', async () => {
    const ready = () => call(metricsUrl.replace('/metrics', '/health/ready'))
    const isUp = ({ status, body }: ApiResponse) => status === 200 && body.dependencies.worker === 'up'
    const health = await eventually(ready, { until: isUp })
    expect(health.body.dependencies).to.deep.equal({ database: 'up', worker: 'up' })
    const { status, body, headers } = await call(metricsUrl.replace('/metrics', '/verify/start'))
    expect([status, body.error]).to.deep.equal([404, 'ROUTE_NOT_FOUND'])
    expect(body.requestId).to.equal(headers.get('x-request-id'))
  })

  it('attempt in the worker a delivery that the API has committed', async () => {
    const { tenantId } = await operate(api, 'tenant', 'create', '--name', 'Shop')
    const { apiKey } = await operate(api, 'key', 'create', '--tenant', tenantId)
    await operate(api, 'tenant', 'set-webhook', '--tenant', tenantId, '--url', 'https://127.0.0.1:9/hook')
    const { body } = await tenantOf(api, apiKey).start()
    const decide = `${veriffUrl}/control/sessions/${body.verificationId}/decide`
    await call(decide, { method: 'POST', json: { outcome: 'approve-adult' } })
    const attempts = () => metric(/^age_verification_webhook_attempts_total\{outcome="connect"\} (\d+)$/m)
    await eventually(attempts, { until: count => count === 1 })
  })

  it('run background work only in the worker, and serve requests only from the API', async () => {
    expect((await call(`${api.baseUrl}/metrics`)).body).not.to.contain('age_verification_webhook_')
    const rejected = await fetch(`${worker.baseUrl}/health/live`).catch((error: Error) => error)
    expect(rejected).to.be.instanceOf(TypeError)
  })

  it('both shut down on SIGTERM', async () => {
    api.signal('SIGTERM')
    worker.signal('SIGTERM')
    expect(await api.ended).to.include({ code: 0, err: '' })
    expect(await worker.ended).to.include({ code: 0, err: '' })
    await untilNone(fixture.folder)
  })
})
