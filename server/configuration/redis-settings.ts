import { isLoopbackHost } from './loopback.policy.ts'

/** Where Redis is, and what it's run as. Every URL has the user, password and TLS (`rediss:`) of its server. */
export type RedisSettings =
  | { mode: 'standalone'; url: string }
  | SentinelSettings
  /** The nodes that are asked for the others; one is enough while it responds. */
  | { mode: 'cluster'; urls: string[] }

export interface SentinelSettings {
  mode: 'sentinel'
  sentinels: string[]
  /** The name under which the Sentinels monitor the primary. */
  primaryName: string
  /** What of it isn't the address applies to the primary: TLS, user, password and database. */
  url: string
}

interface RedisVariables {
  redisUrl: string | undefined
  redisSentinels: string[] | undefined
  redisSentinelMaster: string | undefined
  redisCluster: boolean
  redisAllowPlaintext: boolean
}

/** The settings in valid variables; undefined without Redis. */
export function redisSettings(variables: RedisVariables): RedisSettings | undefined {
  const { redisUrl, redisSentinels: sentinels, redisSentinelMaster: primaryName } = variables
  if (sentinels && primaryName) {
    return { mode: 'sentinel', sentinels, primaryName, url: redisUrl ?? 'redis://primary' }
  }
  if (!redisUrl) return undefined
  return variables.redisCluster
    ? { mode: 'cluster', urls: splitRedisUrls(redisUrl) }
    : { mode: 'standalone', url: redisUrl }
}

/** What is wrong with the variables together, one line each. */
export function redisViolations(variables: RedisVariables): string[] {
  const { redisUrl, redisSentinels, redisSentinelMaster, redisCluster } = variables
  const urls = redisUrl ? splitRedisUrls(redisUrl) : []
  const violations: string[] = []
  if (redisSentinels && !redisSentinelMaster) {
    violations.push(
      'REDIS_SENTINEL_MASTER is required with REDIS_SENTINELS: the name of the monitored primary',
    )
  }
  if (redisSentinelMaster && !redisSentinels) {
    violations.push('REDIS_SENTINELS is required with REDIS_SENTINEL_MASTER')
  }
  if (redisCluster && redisSentinels) {
    violations.push('REDIS_CLUSTER and REDIS_SENTINELS are both set: unset one of them')
  } else if (redisCluster && !redisUrl) {
    violations.push('REDIS_URL is required with REDIS_CLUSTER: the address of a node of the cluster')
  }
  if (redisCluster && urls.some(url => !['', '/', '/0'].includes(new URL(url).pathname))) {
    violations.push('REDIS_URL must not name a database with REDIS_CLUSTER: a cluster has only one')
  }
  if (!redisCluster && urls.length > 1) {
    violations.push('REDIS_URL has several addresses: only a cluster can, with REDIS_CLUSTER=true')
  }
  return violations.length > 0 ? violations : tlsViolations(variables)
}

function tlsViolations(variables: RedisVariables): string[] {
  const settings = redisSettings(variables)
  if (!settings || variables.redisAllowPlaintext || !leadsElsewhereWithoutTls(settings)) return []
  const tls = settings.mode === 'sentinel' ? 'rediss:// there and in REDIS_URL' : 'rediss://'
  return [
    `${redisVariable(settings)} leads to another machine without TLS: use ${tls}, or set REDIS_ALLOW_PLAINTEXT=true if the network is trusted`,
  ]
}

/** The servers that the settings name: the Sentinels instead of the primary. */
export function listUrls(settings: RedisSettings): string[] {
  if (settings.mode === 'standalone') return [settings.url]
  return settings.mode === 'cluster' ? settings.urls : settings.sentinels
}

/** With Sentinels on this machine, the primary is taken to be here, too. */
function leadsElsewhereWithoutTls(settings: RedisSettings): boolean {
  const primary = settings.mode === 'sentinel' && !settings.sentinels.every(isHere) ? [settings.url] : []
  return [...listUrls(settings), ...primary].some(isPlaintextElsewhere)
}

function isPlaintextElsewhere(url: string): boolean {
  return new URL(url).protocol === 'redis:' && !isHere(url)
}

function isHere(url: string): boolean {
  const { hostname } = new URL(url)
  return hostname === '' || isLoopbackHost(hostname)
}

/** A password may contain commas, so the next URL is recognised by its protocol. */
export function splitRedisUrls(text: string): string[] {
  return text.split(/,\s*(?=rediss?:\/\/)/)
}

/** Where Redis is, without users and passwords. */
export function redisAddress(settings: RedisSettings): string {
  const servers = listUrls(settings).map(url => url.replace(/^.*@|^rediss?:\/\//, ''))
  if (settings.mode !== 'sentinel') return servers.join()
  const { pathname: database } = new URL(settings.url)
  return `${settings.primaryName}${database} of ${servers.join()}`
}

/** The variable that names the servers. */
export function redisVariable({ mode }: RedisSettings): string {
  return mode === 'sentinel' ? 'REDIS_SENTINELS' : 'REDIS_URL'
}
