/** Prefixes that only this service's variables are expected to have. */
const prefixes = [
  'ALLOW_SIM',
  'AUDIT_RETENTION',
  'DATABASE_',
  'ENCRYPTION_',
  'METRICS_',
  'OIDC_',
  'PROVISION',
  'REDIS_',
  'REQUEST_DATA_',
  'SESSION_LIFETIME',
  'SHUTDOWN_',
  'TOKEN_',
  'VERIFF_',
  'VERIFICATION_',
  'WEBHOOK_',
]

/** Set by Kubernetes in every pod for a service that is called, for example, `redis`. */
const kubernetesServiceLink =
  /_SERVICE_(HOST|PORT)(_[A-Z0-9_]+)?$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/
const kubernetesAddress = /^(tcp|udp|sctp):\/\//

const foreign = /^(PORT|HOSTNAME$|NODE_|NPM_)/

/**
 * One line for each environment variable that looks like one of the `known` settings, but isn't: it has one of
 * their prefixes, or differs from one of their names, or of those that libraries read, by a typing error or two.
 */
export function describeUnknownVariables(
  env: Record<string, string | undefined>,
  known: readonly string[],
  ofLibraries: readonly string[] = [],
): string[] {
  const names = new Set([...known.flatMap(name => [name, `${name}_FILE`]), ...ofLibraries])
  return Object.entries(env).flatMap(([name, value = '']) => {
    const upper = name.toUpperCase()
    if (names.has(name) || foreign.test(upper)) return []
    if (kubernetesServiceLink.test(name) || kubernetesAddress.test(value)) return []
    const similar = mostSimilar(upper, [...names])
    if (!similar && !prefixes.some(prefix => upper.startsWith(prefix))) return []
    return `${name} is not a setting${similar ? `; did you mean ${similar}?` : ''}`
  })
}

function mostSimilar(name: string, known: string[]): string | undefined {
  const candidates = known
    .map(candidate => ({ candidate, distance: editDistance(name, candidate) }))
    .filter(({ candidate, distance }) => distance <= distanceMax(candidate))
    .toSorted((one, other) => one.distance - other.distance)
  return candidates[0]?.candidate
}

/** Short names are similar to too many unrelated ones: HOME to HOST, for example. */
function distanceMax({ length }: string): number {
  if (length < 8) return 0
  return length === 8 ? 1 : 2
}

/** The number of characters to insert, delete, replace or swap with the next one. */
function editDistance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return Number.POSITIVE_INFINITY
  let beforePrevious: number[] = []
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const isEqual = one[row - 1] === other[column - 1]
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current[column] = Math.min(
        previous[column]! + 1,
        current[column - 1]! + 1,
        previous[column - 1]! + (isEqual ? 0 : 1),
        isSwap ? beforePrevious[column - 2]! + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforePrevious = previous
    previous = current
  }
  return previous[other.length]!
}
