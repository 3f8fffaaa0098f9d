import { randomUUID } from 'node:crypto'
import { startVeriffSimulator } from '#development/veriff-simulator/start-veriff-simulator.ts'
import { connectionOptions } from '#domain/database/connection-options.ts'
import { applyMigrations } from '#domain/schema/apply-migrations.ts'
import { forTenant } from '#domain/scope.ts'
import { setWebhookUrl } from '#domain/settings/set-webhook-url.ts'
import { createApp } from '#server/app.ts'
import { startWorker } from '#server/background/worker.ts'
import { readConfig } from '#server/config.ts'
import { freePort } from '#server/http/free-port.ts'
import { listen } from '#server/http/listen.ts'
import { createLog } from '#server/log.ts'
import { createProcessNotifications } from '#server/notifications/process-notifications.ts'
import { createServices } from '#server/services.ts'
import { startReceiver } from '#test/server/webhooks/http/tls-receiver.ts'
import { stored } from '../../harness/stored.ts'
import { createTestTenant, type TestService, type TestTenant } from '../../harness/test-service.ts'

export interface FailoverService {
  service: TestService
  tenant: TestTenant
  /** The verifications whose events arrived, with repetitions. */
  events(): string[]
  close(): Promise<void>
}

/** How the service reaches its database. */
export interface DatabaseRoute {
  databaseUrl: string
  /** For migrations and LISTEN, where `databaseUrl` leads through a connection pooler in transaction mode. */
  databaseDirectUrl?: string
}

/** A process that serves requests, one that is a worker, and a webhook receiver, on the same database. */
export async function startFailoverService(route: DatabaseRoute): Promise<FailoverService> {
  const closing = new AsyncDisposableStack()
  try {
    return await assemble(route, closing)
  } catch (error) {
    await closing.disposeAsync()
    throw error
  }
}

async function assemble(route: DatabaseRoute, closing: AsyncDisposableStack): Promise<FailoverService> {
  const { databaseUrl, databaseDirectUrl = databaseUrl } = route
  await applyMigrations({ url: databaseDirectUrl })
  const receiver = await startReceiver({}, response => response.writeHead(204).end())
  closing.defer(() => receiver.close())
  const port = await freePort()
  const veriff = { apiKey: randomUUID(), sharedSecret: randomUUID() }
  const simulator = await startVeriffSimulator({
    host: '127.0.0.1',
    port: 0,
    apiKey: veriff.apiKey,
    sharedSecrets: [veriff.sharedSecret],
    webhookUrl: `http://127.0.0.1:${port}/verify/callback`,
  })
  closing.defer(() => simulator.close())
  const config = readConfig({
    LOG_LEVEL: 'silent',
    PORT: String(port),
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
    WEBHOOK_RETRY_DELAYS: '1,2',
  })
  const log = createLog('silent')
  const dependencies = {
    ...route,
    encryptionKeys: [Buffer.alloc(32, 7).toString('base64')],
    veriff: { baseUrl: simulator.baseUrl, apiKey: veriff.apiKey, sharedSecrets: [veriff.sharedSecret] },
    oidc: { issuer: 'http://127.0.0.1:9/none', audience: 'console', clientId: 'dashboard' },
    receiverAuthorities: 'test/fixtures/tls/ca.pem',
  }
  async function startProcess(role: 'api' | 'worker') {
    const roles = { api: role === 'api', worker: role === 'worker' }
    const connection = connectionOptions(databaseDirectUrl, { applicationName: role })
    const notifications = createProcessNotifications({ roles, connection, log })
    closing.defer(() => notifications.close())
    const { notifier, statusChanges } = notifications
    const services = await createServices({
      config: { ...config, role },
      dependencies,
      log,
      notifier,
      statusChanges,
      applicationName: role,
    })
    closing.defer(() => services.close())
    return { services, notifications }
  }
  const { services, notifications } = await startProcess('api')
  notifications.listen()
  const { drain } = await listen(createApp(services).callback(), { host: '127.0.0.1', port })
  closing.defer(drain)
  const background = await startProcess('worker')
  const worker = startWorker(background.services, background.notifications.notifyAll)
  closing.defer(() => worker.close())
  background.notifications.listen(worker.wake)
  const service: TestService = {
    baseUrl: config.baseUrl,
    databaseUrl,
    services,
    veriff,
    veriffUrl: simulator.baseUrl,
    redis: undefined,
    notifications: [],
    statusWaits: notifications.statusWaits,
    operator: () => services.scopeFor({ kind: 'operator' }),
    close: async () => {},
  }
  await stored(service, 'update plan set rate_limit_per_minute = 100000, read_rate_limit_per_minute = 100000')
  const tenant = await createTestTenant(service)
  const url = `https://localhost:${receiver.port}/`
  await setWebhookUrl(forTenant(service.operator(), tenant.tenantId), { url })
  return {
    service,
    tenant,
    events: () => receiver.bodies.map(body => JSON.parse(body).data.verificationId),
    close: () => closing.disposeAsync(),
  }
}
