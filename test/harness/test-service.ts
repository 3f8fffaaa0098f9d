import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { startVeriffSimulator } from '#development/veriff-simulator/start-veriff-simulator.ts'
import { displayStart, hashKeyValue, newKeyValue } from '#domain/api-key/key-value.ts'
import { WaitingRequests } from '#domain/fairness/waiting-requests.ts'
import { newId } from '#domain/ids.ts'
import { type ApiKeyScope, apiKeyScopes } from '#domain/permissions.ts'
import type { OperatorScope } from '#domain/scope.ts'
import { defaultPlan } from '#domain/tenant/ensure-default-plan.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/configuration/config.ts'
import { listen, waitingMax } from '#server/http/listen.ts'
import { createLog, type Log } from '#server/logging/log.ts'
import { createServices, type Services } from '#server/services.ts'
import { createTestDatabase, patientUrl } from './database.ts'

export interface TestServiceOptions {
  /** Environment variables in addition to those that the test service sets. */
  env?: Record<string, string>
  clock?: () => Date
  log?: Log
  /** The Redis that counts its requests; it counts them in memory by default. */
  redisUrl?: string
  /** The database of another service of the same test. */
  databaseUrl?: string
  /** The sign-in provider of the console; none answers by default. */
  issuer?: string
}

export interface TestService {
  baseUrl: string
  databaseUrl: string
  services: Services
  /** The provider's simulator, with its control endpoints. */
  veriffUrl: string
  veriff: { apiKey: string; sharedSecret: string }
  /** A scope in which the operator acts. */
  operator(): OperatorScope
  /** Wake-ups that were sent to workers, in order. No worker runs. */
  wakeUps: string[]
  /** The requests that wait for something. */
  waits: WaitingRequests
  close(): Promise<void>
}

/** For a Redis that is away: nothing listens at its port. */
export const unavailableRedis = 'redis://127.0.0.1:9'

/** The real app on a free port, with a real PostgreSQL and the real provider client in front of the simulator. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const closing = new AsyncDisposableStack()
  try {
    return await assemble(options, closing)
  } catch (error) {
    // An open handle would keep the test run from ending.
    await closing.disposeAsync()
    throw error
  }
}

async function assemble(options: TestServiceOptions, closing: AsyncDisposableStack): Promise<TestService> {
  const { port, serve, drain } = await listenUnserved()
  // For a start that fails. Otherwise the server is drained before the services close, and has nothing left to do here.
  closing.defer(drain)
  const databaseUrl = options.databaseUrl ?? (await dedicatedDatabase(closing))
  const veriff = { apiKey: randomUUID(), sharedSecret: randomUUID() }
  const simulator = await startVeriffSimulator({
    port: 0,
    apiKey: veriff.apiKey,
    sharedSecrets: [veriff.sharedSecret],
    webhookUrl: `http://127.0.0.1:${port}/verify/callback`,
  })
  closing.defer(() => simulator.close())
  const config = readConfig({
    LOG_LEVEL: 'silent',
    PORT: String(port),
    ...redisVariable(options.redisUrl),
    ...options.env,
  })
  const wakeUps: string[] = []
  const log = options.log ?? createLog('silent')
  const waits = new WaitingRequests(waitingMax)
  const services = await createServices({
    config,
    dependencies: {
      databaseUrl: patientUrl(databaseUrl),
      encryptionKeys: config.encryptionKeys ?? [Buffer.alloc(32, 7).toString('base64')],
      provider: integrationAt(simulator.baseUrl, veriff),
      oidc: {
        issuer: options.issuer ?? 'http://127.0.0.1:9/none',
        audience: 'console',
        clientId: 'dashboard',
      },
      receiverAuthorities: undefined,
    },
    log,
    wakeWorker: work => void wakeUps.push(work),
    waitingRequests: waits,
    ...(options.clock ? { clock: options.clock } : {}),
  })
  closing.defer(() => services.close())
  serve(createApp(services).callback())
  closing.defer(drain)
  closing.defer(async () => waits.end())
  return {
    baseUrl: config.baseUrl,
    databaseUrl,
    services,
    veriff,
    veriffUrl: simulator.baseUrl,
    wakeUps,
    waits,
    operator: () => services.scopeFor({ kind: 'operator' }),
    close: () => closing.disposeAsync(),
  }
}

function integrationAt(baseUrl: string, { apiKey, sharedSecret }: TestService['veriff']) {
  return { name: 'veriff', baseUrl, apiKey, sharedSecrets: [sharedSecret] } as const
}

/**
 * Binds a free port before anything else is started, so that no other process takes it meanwhile. Nobody knows it before
 * `serve` sets what handles the requests.
 */
async function listenUnserved() {
  let handle: RequestListener = (_request, response) => response.destroy()
  const { port, drain } = await listen((request, response) => handle(request, response), {
    host: '127.0.0.1',
    port: 0,
  })
  const serve = (app: RequestListener) => {
    handle = app
  }
  return { port, serve, drain }
}

async function dedicatedDatabase(closing: AsyncDisposableStack): Promise<string> {
  const database = await createTestDatabase()
  closing.defer(() => database.close())
  return database.url
}

function redisVariable(url: string | undefined): Record<string, string> {
  return url ? { REDIS_URL: url } : {}
}

export interface TestTenant {
  tenantId: string
  apiKey: string
  apiKeyId: string
}

export interface TestTenantOptions {
  scopes?: ApiKeyScope[]
  plan?: string
  /** Whether its verifications go to the simulator that the service serves. */
  test?: boolean
}

const { name, rateLimitPerMinute, readRateLimitPerMinute, monthlyQuota, hardLimit, overage } = defaultPlan
const planValues = [name, rateLimitPerMinute, readRateLimitPerMinute, monthlyQuota, hardLimit, overage]

const insertTenant = `with default_plan as (
    insert into plan (name, rate_limit_per_minute, read_rate_limit_per_minute, monthly_quota, hard_limit, overage)
    values ($1, $2, $3, $4, $5, $6) on conflict do nothing
  ), added as (
    insert into tenant (id, name, plan_name, subscription, created_at, test)
    values ($7::uuid, 'Test tenant', $8, 'active', $9, $14)
  ), audited as (
    insert into audit_event (tenant_id, id, at, actor_kind, action, target, changes)
    values ($7, $7, $9, 'operator', 'tenant.create', $7::uuid::text, '{}'),
      ($7, $10, $9, 'operator', 'api_key.create', $10::uuid::text, '{}')
  )
  insert into api_key (tenant_id, id, name, hash, display_start, scopes, created_at)
  values ($7, $10::uuid, 'test', $11, $12, $13, $9)`

/** A tenant with a key, made by one statement as an operator makes them. */
export async function createTestTenant(
  service: TestService,
  { scopes = [...apiKeyScopes], plan = name, test = false }: TestTenantOptions = {},
): Promise<TestTenant> {
  const { now } = service.operator()
  const [tenantId, apiKeyId, apiKey] = [newId(now), newId(now), newKeyValue({ test })]
  const key = [apiKeyId, hashKeyValue(apiKey), displayStart(apiKey), scopes, test]
  await service.services.database.pool.query({
    name: '',
    text: insertTenant,
    values: [...planValues, tenantId, plan, now, ...key],
  })
  return { tenantId, apiKey, apiKeyId }
}
