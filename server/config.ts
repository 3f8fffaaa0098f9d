import { z } from 'zod'
import { parseNetwork } from '#domain/webhook/network.ts'
import { trustedAuthorities } from './webhooks/http/trusted-authorities.ts'

/** A setting that is wrong. Each of its lines names a variable and says what is wrong with it. */
export class ConfigError extends Error {
  constructor(lines: string[]) {
    super(lines.join('\n'))
    this.name = 'ConfigError'
  }
}

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine(value => value >= least && value <= most, `must be a whole number from ${least} to ${most}`)

const days = z
  .string()
  .regex(/^\d+(\.\d+)?$/, 'must be a number of days greater than 0')
  .transform(text => Number(text) * 24 * 60 * 60 * 1000)
  .refine(ms => ms > 0 && ms <= 3650 * 24 * 60 * 60 * 1000, 'must be a number of days from 0 to 3650, not 0')

const address = (...protocols: string[]) =>
  z.string().refine(text => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    message: `must be a URL that starts with ${protocols.map(protocol => `${protocol}//`).join(' or ')}`,
    abort: true,
  })

const webAddress = address('http:', 'https:')
  .refine(text => !/[?#]/.test(text), 'must have no query and no fragment')
  .transform(text => text.replace(/\/+$/, ''))

const list = z.string().transform(text =>
  text
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== ''),
)

/** The environment, a sentence per variable. An empty variable counts as unset. */
const environment = z.object({
  /** Where to listen. */
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(3000),
  /** Public address of the service: issuer of tokens, and where the provider calls back. */
  BASE_URL: webAddress.optional(),
  /** Public address of the dashboard: the only other origin that the console lets in. */
  DASHBOARD_URL: webAddress.optional(),
  /** Where embedded parts keep their files. */
  DATA_DIR: z.string().default('.data'),
  /** PostgreSQL 15 or newer; unset: embedded. */
  DATABASE_URL: address('postgres:', 'postgresql:').optional(),
  /** Connections to PostgreSQL at most, per process. */
  DATABASE_POOL_SIZE: wholeNumber(2, 500).default(20),
  /** Redis 6.2 or newer; unset: limits and caches in this one process. */
  REDIS_URL: address('redis:', 'rediss:').optional(),
  /** 32 bytes in base64: encrypts secrets and signing keys at rest. */
  ENCRYPTION_KEY: z
    .string()
    .refine(isEncryptionKey, 'must be 32 bytes in base64; make one with: openssl rand -base64 32')
    .optional(),
  /** The provider's integration; unset: the local stand-in. */
  VERIFF_BASE_URL: webAddress.optional(),
  VERIFF_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters')
    .optional(),
  /** Several, separated by commas and the newest first, while it is rotated. */
  VERIFF_SHARED_SECRET: list
    .refine(secrets => secrets.length > 0, 'must have at least one secret')
    .optional(),
  /** The sign-in provider of the console; unset: the local one. */
  OIDC_ISSUER: address('http:', 'https:').optional(),
  OIDC_AUDIENCE: z.string().optional(),
  /** The dashboard's public client at that issuer. */
  OIDC_CLIENT_ID: z.string().default('dashboard'),
  /** Seconds before attempts 2 and 3 of a delivery. */
  WEBHOOK_RETRY_DELAYS: z
    .string()
    .regex(/^\d+(\.\d+)?,\d+(\.\d+)?$/, 'must be two numbers of seconds, such as 60,600')
    .transform(text => text.split(',').map(seconds => Number(seconds) * 1000) as [number, number])
    // Later attempts are never made: a delivery is dropped after 24 hours.
    .refine(delays => delays.every(ms => ms <= 24 * 60 * 60 * 1000), 'must be at most 86400 seconds each')
    .default([60_000, 600_000]),
  /** Private ranges (CIDR, separated by commas) that receivers may be in. */
  WEBHOOK_ALLOWED_NETWORKS: list.superRefine(refuseWrongNetworks).optional(),
  /** PEM file with further certificate authorities for receivers. */
  WEBHOOK_CA_FILE: z.string().superRefine(refuseUnreadableAuthorities).optional(),
  /** The lifetime of an age token. */
  TOKEN_TTL_DAYS: days.default(30 * 24 * 60 * 60 * 1000),
  /** When an undecided verification is closed. */
  SESSION_LIFETIME_DAYS: days.default(8 * 24 * 60 * 60 * 1000),
  /** When `ip` and `userAgent` are forgotten. */
  REQUEST_DATA_RETENTION_DAYS: days.default(30 * 24 * 60 * 60 * 1000),
  /** `api` answers requests, `worker` delivers events and does the background work, `all` does both. */
  ROLE: z.enum(['all', 'api', 'worker'], 'must be all, api or worker').default('all'),
  /** API processes on this machine. */
  WEB_CONCURRENCY: wholeNumber(1, 64).default(1),
  /** Number of proxies in front, whose X-Forwarded-For is believed. */
  TRUST_PROXY: wholeNumber(0, 16).default(0),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be a pino level, such as info',
    )
    .default('info'),
  /** A port of its own for `GET /metrics`, and `/health`; unset: metrics are on the service's. */
  METRICS_PORT: wholeNumber(1, 65_535).optional(),
})

/** The names of all variables. */
export const environmentVariables: string[] = Object.keys(environment.shape)

type Environment = z.infer<typeof environment>

/** What the service runs on. Parts that are `undefined` are replaced by embedded ones. */
export interface Config extends Omit<Environment, 'BASE_URL' | 'DASHBOARD_URL'> {
  baseUrl: string
  dashboardUrl: string
  /** Whether every part is an embedded one. */
  allEmbedded: boolean
}

/** Reads the environment. Throws a `ConfigError` that names every wrong value. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim() !== ''))
  const parsed = environment.safeParse(set)
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map(issue => `${String(issue.path[0])} ${issue.message}`))
  }
  const faults = togetherFaults(parsed.data)
  if (faults.length > 0) throw new ConfigError(faults)
  return withDefaults(parsed.data)
}

/** What is wrong with variables that depend on each other. */
function togetherFaults(values: Environment): string[] {
  const faults: string[] = []
  if (values.DATABASE_URL && !values.ENCRYPTION_KEY) {
    faults.push('ENCRYPTION_KEY is required with DATABASE_URL; make one with: openssl rand -base64 32')
  }
  const veriff = ['VERIFF_BASE_URL', 'VERIFF_API_KEY', 'VERIFF_SHARED_SECRET'] as const
  const missing = veriff.filter(name => values[name] === undefined)
  if (missing.length > 0 && missing.length < veriff.length) {
    faults.push(...missing.map(name => `${name} is missing: set all of ${veriff.join(', ')}, or none`))
  }
  if (values.OIDC_ISSUER && !values.OIDC_AUDIENCE) faults.push('OIDC_AUDIENCE is required with OIDC_ISSUER')
  if (values.WEB_CONCURRENCY > 1 && !values.REDIS_URL) {
    faults.push('WEB_CONCURRENCY above 1 needs REDIS_URL: limits in memory hold for one process only')
  }
  if (values.METRICS_PORT === values.PORT)
    faults.push('METRICS_PORT must be another port than PORT, or unset')
  return faults
}

function withDefaults(values: Environment): Config {
  const { BASE_URL, DASHBOARD_URL, ...rest } = values
  const host = values.HOST.includes(':') ? `[${values.HOST}]` : values.HOST
  const baseUrl = BASE_URL ?? `http://${host}:${values.PORT}`
  const { DATABASE_URL, VERIFF_BASE_URL, OIDC_ISSUER, REDIS_URL } = values
  const allEmbedded = !DATABASE_URL && !VERIFF_BASE_URL && !OIDC_ISSUER && !REDIS_URL
  return { ...rest, baseUrl, dashboardUrl: DASHBOARD_URL ?? `${baseUrl}/dashboard`, allEmbedded }
}

function isEncryptionKey(text: string): boolean {
  return /^[A-Za-z0-9+/]{43}=$/.test(text) && Buffer.from(text, 'base64').length === 32
}

function refuseWrongNetworks(networks: string[], context: z.RefinementCtx): void {
  for (const network of networks) {
    try {
      parseNetwork(network)
    } catch (error) {
      context.addIssue({ code: 'custom', message: `is wrong: ${(error as Error).message}` })
    }
  }
}

function refuseUnreadableAuthorities(file: string, context: z.RefinementCtx): void {
  try {
    trustedAuthorities(file)
  } catch (error) {
    context.addIssue({ code: 'custom', message: `cannot be used: ${(error as Error).message}` })
  }
}
