import { setTimeout as wait } from 'node:timers/promises'
import { DiagLogLevel, diag } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node'
import type { Log } from '../../logging/log.ts'
import { createSpanContext } from './span-context.ts'
import { traceOperations } from './trace-operations.ts'
import { traceRequests } from './trace-requests.ts'

interface TracingOptions {
  /** Where the collector receives traces. */
  url: string
  /** Sent with each export; secret. */
  headers: Record<string, string>
  log: Log
}

const flushMsMax = 2_000

/**
 * Starts distributed tracing with OpenTelemetry. The sampler, the limits and the resource's attributes are those of the
 * standard variables, which the SDK reads itself. Nothing is registered globally.
 */
export function startTracing(options: TracingOptions) {
  const provider = logWarnings(
    options.log,
    () =>
      new NodeTracerProvider({
        resource: describeResource(),
        spanProcessors: [new BatchSpanProcessor(createSpanExporter(options))],
      }),
  )
  const tracer = provider.getTracer('age-verification')
  const current = createSpanContext()
  const stop = traceOperations(tracer, current)
  return {
    /** Makes each request a span, which continues the trace of its `traceparent`. */
    middleware: traceRequests(tracer, current),
    /** The `traceparent` of the operation under way; null outside of any. */
    traceparent: current.traceparent,
    /** Exports what is left, for 2 s at most. */
    async close(): Promise<void> {
      stop()
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        wait(flushMsMax, undefined, { ref: false }),
      ])
    },
  }
}

/** Sends spans to the collector. Logs once when that begins to fail, and once when it works again. */
function createSpanExporter({ log, ...options }: TracingOptions): SpanExporter {
  const exporter = new OTLPTraceExporter(options)
  let isFailing = false
  return {
    export(spans, report) {
      exporter.export(spans, result => {
        const failed = result.error !== undefined
        if (failed && !isFailing)
          log.warn({ err: result.error }, 'Traces could not be exported; they are dropped')
        if (!failed && isFailing) log.info({}, 'Traces are exported again')
        isFailing = failed
        // The SDK would log the error again, with what the collector has replied.
        report(failed ? { code: result.code } : result)
      })
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  }
}

/** Logs what the SDK says of its variables, such as a sampler that it doesn't know. */
function logWarnings<Result>(log: Log, work: () => Result): Result {
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
function describeResource(): Resource {
  const own = { 'service.name': 'age-verification', 'process.pid': process.pid }
  return defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [envDetector] }))
}
