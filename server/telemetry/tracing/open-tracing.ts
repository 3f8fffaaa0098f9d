import type { Middleware } from 'koa'
import type { Config } from '../../config.ts'
import type { Log } from '../../log.ts'

/** Distributed tracing with OpenTelemetry. */
export interface Tracing {
  /** Makes each request a span, which continues the trace of its `traceparent`. */
  middleware: Middleware
  /** The `traceparent` of the operation under way; null outside of any. */
  traceparent(): string | null
  /** Exports what is left, for 2 s at most. */
  close(): Promise<void>
}

/** Opens tracing where OTEL_EXPORTER_OTLP_ENDPOINT is set. Nothing of OpenTelemetry's SDK is loaded otherwise. */
export async function openTracing(
  { otlpEndpoint, otlpHeaders = {} }: Pick<Config, 'otlpEndpoint' | 'otlpHeaders'>,
  log: Log,
): Promise<Tracing | undefined> {
  if (otlpEndpoint === undefined) return undefined
  const { startTracing } = await import('./start-tracing.ts')
  return startTracing({ url: `${otlpEndpoint}/v1/traces`, headers: otlpHeaders, log })
}
