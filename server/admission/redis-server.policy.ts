/** Fields of Redis's `INFO server`. */
type RedisInfo = Record<string, string>

const versionMin = [7, 0] as const

/**
 * Why a server cannot be used, as one sentence; undefined if it can. `SET … NX GET` needs Redis 7.0. Every Valkey
 * has it; a Valkey reports a `redis_version` for compatibility only. A server that doesn't report its version is
 * accepted.
 */
export function redisServerViolation(info: string): string | undefined {
  const { redis_version: version, valkey_version: valkeyVersion, redis_mode: mode } = parseInfo(info)
  if (mode !== undefined && mode !== 'standalone') {
    return `Redis runs in ${mode} mode, which is not supported; a standalone server is required`
  }
  if (valkeyVersion !== undefined || version === undefined || isSupported(version)) return undefined
  return `Redis ${version} is too old; 7.0 or newer, or Valkey, is required`
}

function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [majorMin, minorMin] = versionMin
  return major > majorMin || (major === majorMin && minor >= minorMin)
}

function parseInfo(info: string): RedisInfo {
  const lines = info.split(/\r?\n/).filter(line => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  )
}
