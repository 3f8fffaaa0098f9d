import { createRequire, syncBuiltinESMExports } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { DiagLogLevel, diag, type TextMapPropagator } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { KoaInstrumentation, KoaLayerType } from '@opentelemetry/instrumentation-koa'
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg'
import { RedisInstrumentation } from '@opentelemetry/instrumentation-redis'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node'
import type { Log } from '../logging/log.ts'
import { createOutageLog } from '../logging/outage-log.ts'

interface TracingOptions {
  /** Where the collector receives traces. */
  url: string
  /** Sent with each export; secret. */
  headers: Record<string, string>
  log: Log
}

const flushMsMax = 2_000

/** Requests of monitoring systems, which nobody looks for in traces. */
const untraced = /^\/(health\/|metrics$)/

/**
 * The attributes that are exported. The instrumentations also set addresses of clients, user agents, paths with tokens, query
 * strings, SQL and keys of Redis, and a new version can add more.
 */
const exported = new Set([
  'db.operation.name',
  'db.postgresql.plan',
  'db.system.name',
  'error.type',
  'http.request.method',
  'http.response.status_code',
  'http.route',
])

/**
 * Traces requests, and what they do in PostgreSQL, in Redis and at the provider, with OpenTelemetry's instrumentations. To be
 * called before the modules are imported that it instruments. The sampler, the limits and the resource's attributes are those
 * of the standard variables, which the SDK reads itself. Returns the function that exports what is left, for 2 s at most.
 */
export function startTracing(options: TracingOptions): () => Promise<void> {
  const warn = (message: string) => options.log.warn({}, `OpenTelemetry: ${message}`)
  const silent = () => undefined
  // What the SDK says of its variables, such as a sampler that it doesn't know, and of modules that can't be instrumented.
  diag.setLogger({ error: warn, warn, info: silent, debug: silent, verbose: silent }, DiagLogLevel.WARN)
  const provider = new NodeTracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES come before the service's own.
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'age-verification', 'process.pid': process.pid }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(createExporter(options))],
  })
  provider.register({ propagator })
  instrumentModules()
  diag.disable()
  return async () => {
    await Promise.race([
      provider.shutdown().catch(() => undefined),
      wait(flushMsMax, undefined, { ref: false }),
    ])
  }
}

/** Of `traceparent` only: `tracestate` and baggage can hold anything, and would be passed on to the provider. */
const w3c = new W3CTraceContextPropagator()
const propagator: TextMapPropagator = {
  inject: (...given) => w3c.inject(...given),
  extract: (context, { traceparent }, getter) => w3c.extract(context, { traceparent }, getter),
  fields: () => ['traceparent'],
}

function instrumentModules(): void {
  new HttpInstrumentation({
    ignoreIncomingRequestHook: ({ url = '' }) => untraced.test(url),
    requireParentforOutgoingSpans: true,
  })
  new KoaInstrumentation({ ignoreLayersType: [KoaLayerType.MIDDLEWARE] })
  new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true })
  new RedisInstrumentation({ requireParentSpan: true })
  new UndiciInstrumentation({ requireParentforSpans: true })
  // They see what `require` loads, and change it in place, so that `import` has the same.
  const require = createRequire(import.meta.url)
  for (const name of ['http', 'https', 'koa', 'pg', 'redis']) require(name)
  syncBuiltinESMExports()
}

function createExporter({ log, ...collector }: TracingOptions): SpanExporter {
  const exporter = new OTLPTraceExporter(collector)
  const outage = createOutageLog('the collector of traces', log)
  return {
    export(spans, report) {
      for (const span of spans) redact(span)
      exporter.export(spans, ({ code, error }) => {
        if (error) outage.failed(describe(error))
        else outage.ended()
        report({ code })
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}

/** Leaves the name, which is of the program, the times and `exported`. Messages of errors quote values. */
function redact({ attributes, events, status }: ReadableSpan): void {
  for (const name of Object.keys(attributes)) if (!exported.has(name)) delete attributes[name]
  events.length = 0
  delete status.message
}

/** Such as `OTLPExporterError 403`, without the collector's reply. */
function describe({ name, code }: Error & { code?: unknown }): string {
  return code === undefined ? name : `${name} ${code}`
}
