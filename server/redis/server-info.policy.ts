/** Fields of Redis's `INFO`. */
export type RedisInfo = Record<string, string>

const versionMin = [7, 0] as const

/**
 * Why a server cannot be used, as one line that names the variable to change; undefined if it can. `#!lua` scripts need
 * Redis 7.0. Every Valkey has them; it calls its mode `server_mode`, and reports a `redis_version` for compatibility only.
 * A server that doesn't report its version or mode is accepted.
 */
export function redisServerViolation(info: string, expected: 'standalone' | 'cluster'): string | undefined {
  const {
    redis_version: version,
    valkey_version: valkeyVersion,
    redis_mode: redisMode = expected,
    server_mode: mode = redisMode,
  } = parseInfo(info)
  if (mode !== expected) return modeViolation(mode)
  if (valkeyVersion !== undefined || version === undefined || isSupported(version)) return undefined
  return `REDIS_URL: Redis ${version} is too old; 7.0 or newer, or Valkey, is required`
}

function modeViolation(mode: string): string {
  switch (mode) {
    case 'cluster':
      return 'REDIS_URL: Redis runs in cluster mode: set REDIS_CLUSTER=true'
    case 'sentinel':
      return 'REDIS_URL names a Sentinel: set REDIS_SENTINELS and REDIS_SENTINEL_MASTER instead'
    default:
      return `REDIS_CLUSTER is set, but Redis runs in ${mode} mode: unset it`
  }
}

function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [majorMin, minorMin] = versionMin
  return major > majorMin || (major === majorMin && minor >= minorMin)
}

/** Parses the text of `INFO`. */
export function parseInfo(info: string): RedisInfo {
  const lines = info.split(/\r?\n/).filter(line => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  )
}
