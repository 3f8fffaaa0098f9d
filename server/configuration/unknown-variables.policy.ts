import { distance } from 'fastest-levenshtein'

/** Prefixes that only this service's variables are expected to have. */
const prefixes = [
  'ALLOW_SIM',
  'AUDIT_RETENTION',
  'DATABASE_',
  'ENCRYPTION_',
  'METRICS_',
  'OIDC_',
  'PRACTICE',
  'PROVISION',
  'REDIS_',
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

/** The standard variables that OpenTelemetry's SDK reads itself. */
const standardVariables = [
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_BSP_SCHEDULE_DELAY',
  'OTEL_BSP_EXPORT_TIMEOUT',
  'OTEL_BSP_MAX_QUEUE_SIZE',
  'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
  'OTEL_ATTRIBUTE_COUNT_LIMIT',
  'OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT',
  'OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT',
  'OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT',
  ...['', 'TRACES_'].flatMap(signal =>
    ['TIMEOUT', 'COMPRESSION', 'CERTIFICATE', 'CLIENT_CERTIFICATE', 'CLIENT_KEY'].map(
      name => `OTEL_EXPORTER_OTLP_${signal}${name}`,
    ),
  ),
]

const foreign = /^(PORT|HOSTNAME$|NODE_|NPM_)/

/**
 * One line for each environment variable that looks like one of the `known` settings, but isn't: it has one of
 * their prefixes, or differs from one of their names, or of those that OpenTelemetry reads, by a typing error or two.
 */
export function describeUnknownVariables(
  env: Record<string, string | undefined>,
  known: readonly string[],
): string[] {
  const names = new Set([...known.flatMap(name => [name, `${name}_FILE`]), ...standardVariables])
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
    .map(candidate => ({ candidate, typos: distance(name, candidate) }))
    .filter(({ candidate, typos }) => typos <= typosMax(candidate))
    .toSorted((one, other) => one.typos - other.typos)
  return candidates[0]?.candidate
}

/** Short names are similar to too many unrelated ones: HOME to HOST, for example. */
function typosMax({ length }: string): number {
  if (length < 8) return 0
  return length === 8 ? 1 : 2
}
