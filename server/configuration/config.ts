import { z } from 'zod'
import { parseNetwork } from '#domain/network/network.ts'
import { operatorFacts } from '#domain/practice-statement/practice.ts'
import {
  days,
  displayName,
  encryptionKeys,
  exactWebAddress,
  headerList,
  json,
  list,
  postgresUrl,
  rootAddress,
  type Settings as SettingsOf,
  seconds,
  secureAddress,
  setting,
  trueOrFalse,
  webAddress,
  wholeNumber,
} from './config-values.ts'
import { configuredProvider, providerSettings, providerVariables } from './identity-providers.ts'
import { productionReason } from './production.policy.ts'
import { redisUrl, redisViolation } from './redis-settings.ts'
import { describeRemovedSettings } from './removed-settings.ts'
import { StartError } from './start-error.ts'
import { trustedAuthorities } from './trusted-authorities.ts'

/** Settings that are missing or invalid. Each line of the message names one variable and says what is wrong with it. */
export class ConfigError extends StartError {
  override name = 'ConfigError'

  constructor(lines: string[]) {
    super(lines.join('\n'))
  }
}

const dayMs = 24 * 60 * 60 * 1000

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Every environment variable, the field of `Config` that holds its value, and what it accepts. */
const variables = {
  /** The address to listen on. */
  HOST: setting('host', z.string().default('127.0.0.1')),
  /** The port to listen on; 0 picks a free one. */
  PORT: setting('port', wholeNumber(0, 65_535).default(3000)),
  /** The public URL of the service: issuer of tokens and base of the provider's callback URL. */
  BASE_URL: setting('baseUrl', rootAddress.optional()),
  /** The public URL of the dashboard, the only other origin that CORS allows on the console. */
  DASHBOARD_URL: setting('dashboardUrl', webAddress.optional()),
  /** The folder in which embedded parts store their files. */
  DATA_DIR: setting('dataFolder', z.string().default('.data')),
  /** PostgreSQL 15 or newer. Unset: embedded. */
  DATABASE_URL: setting('databaseUrl', postgresUrl.optional()),
  /** The maximum number of PostgreSQL connections per process. */
  DATABASE_POOL_SIZE: setting('databasePoolSize', wholeNumber(2, 500).default(20)),
  /** Redis 7.0 or newer. Without it, rate limits are in memory, which allows one API process only. */
  REDIS_URL: setting('redisUrl', redisUrl.optional()),
  /** Whether connections to another machine may be without TLS. */
  REDIS_ALLOW_PLAINTEXT: setting('redisAllowPlaintext', trueOrFalse.default(false)),
  /** 32 bytes in base64 that encrypt secrets and signing keys at rest; during a rotation a list, newest first. */
  ENCRYPTION_KEY: setting('encryptionKeys', encryptionKeys.optional()),
  ...providerVariables,
  /** The OpenID Connect issuer for the console. Unset: the local sign-in provider. */
  OIDC_ISSUER: setting('oidcIssuer', secureAddress(exactWebAddress).optional()),
  /** The `aud` that access tokens for the console must have. */
  OIDC_AUDIENCE: setting('oidcAudience', z.string().optional()),
  /** The dashboard's public client at that issuer. */
  OIDC_CLIENT_ID: setting('oidcClientId', z.string().default('dashboard')),
  /** What the dashboard asks for besides `openid profile email`, at an issuer that wants a scope for each API. */
  OIDC_SCOPE: setting(
    'oidcScope',
    z
      .string()
      .regex(/^[!#-[\]-~]+( [!#-[\]-~]+)*$/, 'must be scopes, separated by single spaces')
      .optional(),
  ),
  /** Seconds before attempts 2 and 3 of a webhook delivery. */
  WEBHOOK_RETRY_DELAYS: setting(
    'retryDelaysMs',
    z
      .string()
      .regex(/^\d+(\.\d+)?,\d+(\.\d+)?$/, 'must be two numbers of seconds, such as 60,600')
      .transform(text => text.split(',').map(seconds => Number(seconds) * 1000) as [number, number])
      // A delivery is dropped after 24 hours, so a later attempt would never be made.
      .refine(delays => delays.every(ms => ms <= dayMs), 'must be at most 86400 seconds each')
      .default([60_000, 600_000]),
  ),
  /** Private networks (CIDR, comma-separated) that webhook receivers may be in. */
  WEBHOOK_ALLOWED_NETWORKS: setting('allowedNetworks', list.superRefine(checkNetworks).optional()),
  /** A PEM file with additional certificate authorities for webhook receivers. */
  WEBHOOK_CA_FILE: setting('webhookCaFile', z.string().superRefine(checkAuthorities).optional()),
  /** The lifetime of an age token. */
  TOKEN_TTL_DAYS: setting('tokenLifetimeMs', days.default(30 * dayMs)),
  /** The time after which an undecided verification is closed. */
  SESSION_LIFETIME_DAYS: setting('sessionLifetimeMs', days.default(8 * dayMs)),
  /** The time after which a verification is deleted. */
  VERIFICATION_RETENTION_DAYS: setting('verificationRetentionMs', days.default(400 * dayMs)),
  /** The time after which an audit event is deleted. */
  AUDIT_RETENTION_DAYS: setting('auditRetentionMs', days.default(730 * dayMs)),
  /** What only the operator knows, for the practice statement. What is absent, the statement says is missing. */
  PRACTICE: setting('practice', json(operatorFacts).default({})),
  /** `api` serves requests, `worker` delivers webhook events and runs the background tasks, `all` does both. */
  ROLE: setting('role', z.enum(['all', 'api', 'worker'], 'must be all, api or worker').default('all')),
  /** The number of trusted proxies in front of the service, counted from the end of X-Forwarded-For. */
  TRUST_PROXY: setting('proxyCount', wholeNumber(0, 16).default(0)),
  /** The number of requests that an API process works on at a time; further ones wait in queues, by tenant. */
  MAX_CONCURRENT_REQUESTS: setting('concurrentRequests', wholeNumber(1, 10_000).default(64)),
  /** The lowest level that is logged. */
  LOG_LEVEL: setting('logLevel', z.enum(logLevels, 'must be a pino level, such as info').default('info')),
  /** Whether users of the console may provision tenants; unset, not in a production configuration. Operators always can. */
  PROVISIONING: setting('provisioning', z.enum(['open', 'closed'], 'must be open or closed').optional()),
  /** The number of tenants that one user can ever provision. */
  PROVISION_LIMIT: setting('provisionLimit', wholeNumber(1, 1_000_000).default(3)),
  /** Whether a start applies pending migrations. If not, it waits until they are applied. */
  MIGRATE_ON_START: setting('migrateOnStart', trueOrFalse.prefault('true')),
  /** How long a process that is shutting down still serves requests, after it has reported that it is not ready. */
  SHUTDOWN_DELAY: setting('shutdownDelayMs', seconds(300).default(0)),
  /** A dedicated port for `GET /metrics` and `/health`. Unset: metrics are served on PORT. */
  METRICS_PORT: setting('metricsPort', wholeNumber(1, 65_535).optional()),
  /** The collector that traces are sent to, by OTLP over HTTP. Unset: nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: setting('otlpEndpoint', webAddress.optional()),
  /** Headers for the collector, such as `authorization=Bearer%20secret`, separated by commas. */
  OTEL_EXPORTER_OTLP_HEADERS: setting('otlpHeaders', headerList.optional()),
  /** Who runs the operator's commands, for the audit log, where the system user doesn't say it. */
  OPERATOR_NAME: setting('operatorName', displayName.optional()),
  /** Whether test tenants can be made; unset, where all is local. */
  TEST_TENANTS: setting('testTenants', trueOrFalse.optional()),
  /** `true` lets simulators start in a production configuration. */
  ALLOW_SIMULATORS: setting('allowSimulators', trueOrFalse.default(false)),
}

type Variables = typeof variables
type VariableName = keyof Variables

type Settings = SettingsOf<Variables>

/** The names of all environment variables. */
export const environmentVariables = Object.keys(variables) as VariableName[]

const environment = z.object(
  Object.fromEntries(environmentVariables.map(name => [name, variables[name].schema])),
)

/** The parsed settings. An embedded part replaces each dependency that is `undefined`. */
export interface Config extends Omit<Settings, 'baseUrl' | 'dashboardUrl' | 'provisioning' | 'testTenants'> {
  baseUrl: string
  dashboardUrl: string
  provisioning: 'open' | 'closed'
  testTenants: boolean
  /** Whether every dependency is embedded. */
  allEmbedded: boolean
  /** Whether database, provider and sign-in are embedded, so that the demo tenant is created. */
  hasDemo: boolean
  /** Why all real dependencies are required, as a sentence; undefined where embedded parts may replace them. */
  productionReason: string | undefined
}

/** Parses the environment; an empty variable counts as unset. Throws a `ConfigError` that lists every violation. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const nonEmpty = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const removed = describeRemovedSettings(env)
  const parsed = environment.safeParse(nonEmpty)
  if (!parsed.success) {
    const invalid = parsed.error.issues.map(issue => `${String(issue.path[0])} ${issue.message}`)
    throw new ConfigError([...removed, ...invalid])
  }
  const settings = Object.fromEntries(
    environmentVariables.map(name => [variables[name].field, parsed.data[name]]),
  ) as Settings
  const violations = [...removed, ...crossFieldViolations(settings)]
  if (violations.length > 0) throw new ConfigError(violations)
  return withDerivedFields(settings)
}

/** Checks the settings that depend on each other. */
function crossFieldViolations(settings: Settings): string[] {
  const violations: string[] = []
  // A production configuration requires all of them; `assertRequiredSettings` reports that.
  if (!productionReason(settings)) violations.push(...incompleteGroups(settings))
  if (settings.oidcAudience === settings.oidcClientId) {
    violations.push(
      'OIDC_AUDIENCE must differ from OIDC_CLIENT_ID, or an ID token would be accepted as an access token',
    )
  }
  for (const { previous } of providerSettings) {
    if (isSet(settings, previous)) violations.push(...missingIn(settings, previous))
  }
  violations.push(...redisViolation(settings))
  if (settings.verificationRetentionMs < settings.tokenLifetimeMs + settings.sessionLifetimeMs) {
    violations.push(
      'VERIFICATION_RETENTION_DAYS must be at least TOKEN_TTL_DAYS and SESSION_LIFETIME_DAYS together, or valid tokens would be deleted',
    )
  }
  if (settings.metricsPort === settings.port) {
    violations.push('METRICS_PORT must be another port than PORT, or unset')
  }
  return violations
}

/** Settings of which all are set, or none: names with fields. */
type SettingsGroup = Record<string, keyof Settings>

function isSet(settings: Settings, group: SettingsGroup): boolean {
  return Object.values(group).some(field => settings[field] !== undefined)
}

function missingIn(settings: Settings, group: SettingsGroup): string[] {
  const names = Object.keys(group)
  const missing = names.filter(name => settings[group[name]!] === undefined)
  return missing.map(name => `${name} is missing: set all of ${names.join(', ')}, or none`)
}

/** Settings that are required together with another one that is set. */
function incompleteGroups(settings: Settings): string[] {
  const violations: string[] = []
  if (settings.databaseUrl && !settings.encryptionKeys) {
    violations.push('ENCRYPTION_KEY is required with DATABASE_URL; make one with: openssl rand -base64 32')
  }
  for (const { current, previous } of providerSettings) {
    const isNeeded = isSet(settings, current) || isSet(settings, previous)
    if (isNeeded) violations.push(...missingIn(settings, current))
  }
  if (settings.oidcIssuer && !settings.oidcAudience) {
    violations.push('OIDC_AUDIENCE is required with OIDC_ISSUER')
  }
  return violations
}

function withDerivedFields(settings: Settings): Config {
  const { databaseUrl, oidcIssuer } = settings
  const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host
  const hasDemo = !databaseUrl && !configuredProvider(settings) && !oidcIssuer
  const baseUrl = settings.baseUrl ?? `http://${host}:${settings.port}`
  const reason = productionReason(settings)
  return {
    ...settings,
    baseUrl,
    dashboardUrl: settings.dashboardUrl ?? `${baseUrl}/dashboard`,
    allEmbedded: hasDemo && !settings.redisUrl,
    hasDemo,
    // Accounts are free at a sign-in provider with registration, and each tenant's verifications cost the operator.
    provisioning: settings.provisioning ?? (reason === undefined ? 'open' : 'closed'),
    testTenants: settings.testTenants ?? reason === undefined,
    productionReason: reason,
  }
}

function checkNetworks(networks: string[], context: z.RefinementCtx): void {
  for (const network of networks) {
    try {
      parseNetwork(network)
    } catch (error) {
      context.addIssue({ code: 'custom', message: `is invalid: ${(error as Error).message}` })
    }
  }
}

function checkAuthorities(file: string, context: z.RefinementCtx): void {
  try {
    trustedAuthorities(file)
  } catch (error) {
    context.addIssue({ code: 'custom', message: `cannot be used: ${(error as Error).message}` })
  }
}
