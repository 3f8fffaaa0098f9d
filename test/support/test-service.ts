import { randomUUID } from 'node:crypto'
import type { ApiKeyScope } from '#domain/api-key/api-key.policy.ts'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { forTenant, type OperatorScope } from '#domain/scope.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { startVeriffSimulator } from '#server/development/veriff-simulator/start-veriff-simulator.ts'
import { freePort, listen } from '#server/http/listen.ts'
import { createLog, type Log } from '#server/log.ts'
import { createServices, type Services } from '#server/services.ts'
import { createTestDatabase } from './database.ts'

export interface TestServiceOptions {
  /** Environment variables beside those that the test service sets itself. */
  env?: Record<string, string>
  clock?: () => Date
  log?: Log
  redisUrl?: string
  /** Where another service of the same test keeps its data. */
  databaseUrl?: string
}

export interface TestService {
  baseUrl: string
  databaseUrl: string
  services: Services
  /** The stand-in of the provider, with its control endpoint. */
  veriffUrl: string
  veriff: { apiKey: string; sharedSecret: string }
  /** A scope in which the operator acts. */
  operator(): OperatorScope
  /** Wake-ups that the workers would have got, in order. */
  notifications: string[]
  close(): Promise<void>
}

/** The real app on a free port: real PostgreSQL, real provider client, the stand-in behind it. No workers run. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const closing = new AsyncDisposableStack()
  try {
    return await assemble(options, closing)
  } catch (error) {
    // What is left open would keep the test run from ending.
    await closing.disposeAsync()
    throw error
  }
}

async function assemble(options: TestServiceOptions, closing: AsyncDisposableStack): Promise<TestService> {
  const port = await freePort('127.0.0.1')
  let databaseUrl = options.databaseUrl
  if (!databaseUrl) {
    const database = await createTestDatabase()
    closing.defer(() => database.close())
    databaseUrl = database.url
  }
  const veriff = { apiKey: randomUUID(), sharedSecret: randomUUID() }
  const simulator = await startVeriffSimulator({
    ...{ host: '127.0.0.1', port: 0, apiKey: veriff.apiKey, sharedSecrets: [veriff.sharedSecret] },
    webhookUrl: `http://127.0.0.1:${port}/verify/callback`,
  })
  closing.defer(() => simulator.close())
  const config = readConfig({
    LOG_LEVEL: 'silent',
    PORT: String(port),
    ...redisVariable(options),
    ...options.env,
  })
  const notifications: string[] = []
  const services = await createServices({
    config,
    dependencies: {
      databaseUrl,
      encryptionKey: Buffer.alloc(32, 7).toString('base64'),
      veriff: { baseUrl: simulator.baseUrl, apiKey: veriff.apiKey, sharedSecrets: [veriff.sharedSecret] },
      oidc: { issuer: 'http://127.0.0.1:9/none', audience: 'console', clientId: 'dashboard' },
      receiverAuthorities: undefined,
    },
    log: options.log ?? createLog('silent'),
    notifier: { notify: work => void notifications.push(work) },
    ...(options.clock ? { clock: options.clock } : {}),
  })
  closing.defer(() => services.close())
  const { drain } = await listen(createApp(services), { host: '127.0.0.1', port })
  closing.defer(drain)
  return {
    ...{
      baseUrl: config.baseUrl,
      databaseUrl,
      services,
      veriff,
      veriffUrl: simulator.baseUrl,
      notifications,
    },
    operator: () => services.scopeFor({ kind: 'operator' }),
    close: () => closing.disposeAsync(),
  }
}

function redisVariable({ redisUrl }: TestServiceOptions): Record<string, string> {
  return redisUrl ? { REDIS_URL: redisUrl } : {}
}

export interface TestTenant {
  tenantId: string
  apiKey: string
  apiKeyId: string
}

/** A tenant with a key, as an operator makes them. */
export async function createTestTenant(
  service: TestService,
  { scopes, plan }: { scopes?: ApiKeyScope[]; plan?: string } = {},
): Promise<TestTenant> {
  const { id: tenantId } = await createTenant(service.operator(), { name: 'Test tenant', plan })
  const { key, value } = await createApiKey(forTenant(service.operator(), tenantId), { name: 'test', scopes })
  return { tenantId, apiKey: value, apiKeyId: key.id }
}
