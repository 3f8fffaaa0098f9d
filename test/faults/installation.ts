import { randomUUID } from 'node:crypto'
import { startVeriffSimulator } from '#development/veriff-simulator/start-veriff-simulator.ts'
import { freePort } from '#server/http/free-port.ts'
import { createTestDatabase } from '../harness/database.ts'
import { startTestRedis } from '../harness/engines/redis.ts'
import { TcpProxy } from '../harness/engines/tcp-proxy.ts'
import { operate } from '../harness/processes/operate.ts'
import { externalVariables, type ServiceFixture } from '../harness/processes/service-fixture.ts'
import { tenantClient } from '../harness/tenant-client.ts'

export type Installation = Awaited<ReturnType<typeof startInstallation>>

/** An API process with a small pool and a worker, with a database, a Redis and a provider of their own, and a tenant. */
export async function startInstallation(
  name: string,
  fixture: ServiceFixture,
  closing: AsyncDisposableStack,
) {
  const database = await createTestDatabase()
  closing.defer(() => database.close())
  const network = await TcpProxy.open(Number(new URL(database.url).port))
  closing.defer(() => network.close())
  const databaseUrl = new URL(database.url)
  databaseUrl.port = String(network.port)
  const redis = await startTestRedis()
  closing.defer(() => redis.close())
  const [port, metricsPort] = await Promise.all([freePort(), freePort()])
  const veriff = { apiKey: randomUUID(), sharedSecret: randomUUID() }
  const simulator = await startVeriffSimulator({
    port: 0,
    apiKey: veriff.apiKey,
    sharedSecrets: [veriff.sharedSecret],
    webhookUrl: `http://127.0.0.1:${port}/verify/callback`,
  })
  closing.defer(() => simulator.close())
  const env = {
    ...externalVariables(databaseUrl.href, { ...veriff, baseUrl: simulator.baseUrl }),
    REDIS_URL: redis.url,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_RETRY_DELAYS: '0.1,0.1',
  }
  const [api, worker] = await Promise.all([
    fixture.start({ name: `${name}-api`, port, env: { ...env, ROLE: 'api', DATABASE_POOL_SIZE: '2' } }),
    fixture.start({
      name: `${name}-worker`,
      env: { ...env, ROLE: 'worker', METRICS_PORT: String(metricsPort) },
    }),
  ])
  await operate(api, 'plan', 'set', '--name', 'large', '--rate-limit', '10000', '--read-rate-limit', '10000')
  const { tenantId } = await operate(api, 'tenant', 'create', '--name', 'Shop')
  await operate(api, 'tenant', 'set-plan', '--tenant', tenantId, '--plan', 'large')
  const { apiKey } = await operate(api, 'key', 'create', '--tenant', tenantId)
  const url = 'https://127.0.0.1:9/nobody-listens'
  await operate(api, 'tenant', 'set-webhook', '--tenant', tenantId, '--url', url)
  const service = { baseUrl: api.baseUrl, veriffUrl: simulator.baseUrl }
  const client = tenantClient(service, { apiKey })
  return { databaseUrl: database.url, network, redis, worker, ports: [port, metricsPort], client, ...service }
}
