import { setTimeout as wait } from 'node:timers/promises'
import { DiagLogLevel, diag } from '@opentelemetry/api'
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions'
import type { Log } from '../../log.ts'
import type { Tracing } from './open-tracing.ts'
import { createSpanContext } from './span-context.ts'
import { createSpanExporter } from './span-exporter.ts'
import { traceOperations } from './trace-operations.ts'
import { traceRequests } from './trace-requests.ts'

export interface TracingOptions {
  /** Where the collector receives traces. */
  url: string
  /** Sent with each export; secret. */
  headers: Record<string, string>
  log: Log
}

const flushMsMax = 2_000

/**
 * Starts tracing. The sampler, the limits and the resource's attributes are those of the standard variables, which the
 * SDK reads itself. Nothing is registered globally.
 */
export function startTracing({ url, headers, log }: TracingOptions): Tracing {
  const provider = withWarnings(log, () => {
    const exporter = createSpanExporter({ url, headers }, log)
    return new NodeTracerProvider({
      resource: resourceOf(),
      spanProcessors: [new BatchSpanProcessor(exporter)],
    })
  })
  const tracer = provider.getTracer('age-verification')
  const current = createSpanContext()
  const stop = traceOperations(tracer, current)
  return {
    middleware: traceRequests(tracer, current),
    traceparent: current.traceparent,
    async close() {
      stop()
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        wait(flushMsMax, undefined, { ref: false }),
      ])
    },
  }
}

/** Logs what the SDK says of its variables, such as a sampler that it doesn't know. */
function withWarnings<Result>(log: Log, work: () => Result): Result {
  const warn = (message: string) => log.warn({}, `OpenTelemetry: ${message}`)
  const silent = () => undefined
  diag.setLogger({ error: warn, warn, info: silent, debug: silent, verbose: silent }, DiagLogLevel.WARN)
  try {
    return work()
  } finally {
    diag.disable()
  }
}

/** OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES come before the service's own. */
function resourceOf(): Resource {
  const own = { [ATTR_SERVICE_NAME]: 'age-verification', 'process.pid': process.pid }
  return defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [envDetector] }))
}
