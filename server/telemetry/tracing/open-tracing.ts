import type { Config } from '../../config.ts'
import type { Log } from '../../log.ts'

/** Opens tracing where OTEL_EXPORTER_OTLP_ENDPOINT is set. Nothing of OpenTelemetry's SDK is loaded otherwise. */
export async function openTracing(
  { otlpEndpoint, otlpHeaders = {} }: Pick<Config, 'otlpEndpoint' | 'otlpHeaders'>,
  log: Log,
) {
  if (otlpEndpoint === undefined) return undefined
  const { startTracing } = await import('./start-tracing.ts')
  return startTracing({ url: `${otlpEndpoint}/v1/traces`, headers: otlpHeaders, log })
}
