import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import type { SpanExporter } from '@opentelemetry/sdk-trace-node'
import type { Log } from '../../log.ts'

/** Sends spans to the collector. Logs once when that begins to fail, and once when it works again. */
export function createSpanExporter(
  options: { url: string; headers: Record<string, string> },
  log: Log,
): SpanExporter {
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
