import { hash } from 'node:crypto'
import type { Registry } from 'prom-client'
import { findUsedKeys } from '#domain/api-key/find-used-keys.ts'
import { hashKeyValue } from '#domain/api-key/key-value.ts'
import { KnownClients } from '#domain/fairness/known-clients.ts'
import type { WaitingRequests } from '#domain/fairness/waiting-requests.ts'
import type { WakeWorker } from '#domain/ports.ts'
import { openDatabase } from '#domain/schema/open-database.ts'
import { createKeyRing } from '#domain/signing-key/key-ring.ts'
import { dayMs } from '#domain/usage/usage-period.ts'
import type { ProviderCallbacks } from '#rest/ports.ts'
import { createKeyUseRecorder } from './admission/key-use-recorder.ts'
import { knownKeysMax, openAdmission } from './admission/open-admission.ts'
import { createCipher } from './cipher.ts'
import type { Config } from './configuration/config.ts'
import type { Dependencies } from './configuration/dependencies.ts'
import { readRules } from './configuration/rules.ts'
import { throwDatabaseStartError } from './configuration/start-error.ts'
import { prepareDatabase } from './database/prepare-database.ts'
import { publishStatement } from './database/publish-statement.ts'
import type { WaitForDatabase } from './database/wait-for-database.ts'
import { createConcurrencyLimit } from './http/concurrency-limit.ts'
import { addConcurrencyMetrics, createRequestMetrics, type RequestMetrics } from './http/request-metrics.ts'
import type { Log } from './logging/log.ts'
import { openProvider } from './providers/open-provider.ts'
import { openSessions } from './providers/test-provider/sessions.ts'
import { createTestPages } from './providers/test-provider/test-pages.ts'
import { createTestProvider } from './providers/test-provider/test-provider.ts'
import { createScopeFactory } from './scope.ts'
import { addDatabaseMetrics } from './telemetry/database-metrics.ts'
import { createCallbackMetrics, createDomainMetrics } from './telemetry/domain-metrics.ts'
import { createMetricsRegistry } from './telemetry/metrics-registry.ts'
import { createStatementMetrics } from './telemetry/statement-metrics.ts'
import { addStoredMetrics } from './telemetry/stored-metrics.ts'

/** Everything that lives as long as the process. */
export type Services = Awaited<ReturnType<typeof createServices>>

export interface ServiceOptions {
  config: Config
  dependencies: Dependencies
  log: Log
  wakeWorker: WakeWorker
  waitingRequests: WaitingRequests
  /** The name of its connections in `pg_stat_activity`, unless DATABASE_URL has one. */
  applicationName?: string
  clock?: () => Date
  registry?: Registry
  requestMetrics?: RequestMetrics
  /** Does what needs PostgreSQL; by default once, so that it throws while PostgreSQL is away. */
  whenAvailable?: WaitForDatabase
}

/** Opens everything, in order. If one part fails, those opened before it are closed again. */
export async function createServices(options: ServiceOptions) {
  const { config, dependencies, log, applicationName, clock = () => new Date() } = options
  const { registry = createMetricsRegistry(), whenAvailable = withoutWaiting } = options
  const { requestMetrics = createRequestMetrics(registry) } = options
  await using closing = new AsyncDisposableStack()
  const observer = createStatementMetrics(registry)
  const database = await whenAvailable(() =>
    openDatabase({
      url: dependencies.databaseUrl,
      ...(applicationName ? { applicationName } : {}),
      poolSize: config.databasePoolSize,
      observer,
    }),
  )
  closing.defer(() => database.close())
  const { pool } = database
  addDatabaseMetrics(registry, database)
  const { redis, counter, keyAdmission, knownKeys } = await openAdmission(
    config.redisUrl,
    pool,
    log,
    registry,
  )
  closing.defer(() => redis?.destroy())
  const { oidc, provider: integration } = dependencies
  const provider = integration && (await openProvider(integration, { clock, registry }))
  closing.defer(() => provider?.close())
  const hasTests = config.testTenants || !provider
  const testSessions = hasTests ? openSessions(pool, config.baseUrl, clock) : undefined
  const keyUse = createKeyUseRecorder(pool, log)
  closing.defer(() => keyUse.close())
  const cipher = createCipher(dependencies.encryptionKeys)
  const keyRing = createKeyRing(pool, cipher)
  const rules = readRules(config, { memberIssuer: oidc.issuer, hasProvider: integration !== undefined })
  const parts = {
    clock,
    pool,
    rules,
    provider: provider?.client,
    testProvider: testSessions && createTestProvider(testSessions),
    wakeWorker: options.wakeWorker,
    waitingRequests: options.waitingRequests,
    cipher,
    keyRing,
    metrics: createDomainMetrics(registry),
    log,
  }
  const scopeFor = createScopeFactory(parts, database.orm.em)
  addStoredMetrics(registry, pool, clock)
  await whenAvailable(() => prepareDatabase(scopeFor({ kind: 'service' }), { pool, cipher, keyRing }))
  if (config.role !== 'worker') {
    closing.use(await publishStatement(scopeFor))
    const since = new Date(clock().getTime() - dayMs)
    const used = await whenAvailable(() => findUsedKeys(pool, { since, limit: knownKeysMax }))
    // The one that was used last is remembered longest.
    for (const { keyHash, tenantId } of used.toReversed()) knownKeys.add(keyHash, tenantId)
  }
  const knownSignIns = new KnownClients(knownSignInsMax)
  const concurrency = createConcurrencyLimit({
    ...config,
    tenantOf: ({ key, authorization }) =>
      knownKeys.tenantOf(hashKeyValue(key)) ?? knownSignIns.tenantOf(hashSignIn(authorization)),
    countRejection: requestMetrics.requestShed,
  })
  addConcurrencyMetrics(registry, concurrency)
  const close = closing.move()
  return {
    config,
    dependencies,
    log,
    clock,
    database,
    redis,
    counter,
    keyAdmission,
    knownKeys,
    knownSignIns,
    keyUse,
    cipher,
    rules,
    scopeFor,
    /** The metrics of this process. */
    registry,
    requestMetrics,
    concurrency,
    callbacks: provider?.callbacks ?? noCallbacks,
    /** The hosted pages of test verifications; undefined where there are none. */
    testPages: testSessions && createTestPages(testSessions, scopeFor, concurrency.placeOf),
    countCallback: createCallbackMetrics(registry),
    /** Requests to the provider fail from then on, those in flight immediately. */
    closeProvider: async () => await provider?.close(),
    /** Closes everything, in the reverse order of opening. */
    close: () => close.disposeAsync(),
  }
}

/** Of members, by the hash of the header that signs them in. */
const knownSignInsMax = 20_000

export function hashSignIn(authorization: string): string {
  return hash('sha256', authorization)
}

/** Where no identity provider is configured, none is authentic. */
const noCallbacks: ProviderCallbacks = {
  hasCredentials: () => false,
  isAuthentic: () => false,
  read: () => undefined,
  readUnknownStatus: () => undefined,
}

async function withoutWaiting<Result>(work: () => Promise<Result>): Promise<Result> {
  return await work().catch(throwDatabaseStartError)
}
