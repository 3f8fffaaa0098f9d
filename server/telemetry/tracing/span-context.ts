import { AsyncLocalStorage } from 'node:async_hooks'
import { type Attributes, type Context, ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api'
import { parseTraceparent } from '../../http/traceparent.ts'

export type SpanContext = ReturnType<typeof createSpanContext>

/** Which span is under way, in each asynchronous context. */
export function createSpanContext() {
  const storage = new AsyncLocalStorage<Context>()
  const active = () => storage.getStore() ?? ROOT_CONTEXT
  return {
    storage,
    active,
    /** The span under way, if it is recorded. */
    recording(): Span | undefined {
      const span = trace.getSpan(active())
      return span?.isRecording() ? span : undefined
    },
    /** Null outside of any span. */
    traceparent(): string | null {
      const span = trace.getSpanContext(active())
      return span ? `00-${span.traceId}-${span.spanId}-0${span.traceFlags & 1}` : null
    },
  }
}

/** The context of a `traceparent`; the root if there is none, or a malformed one. */
export function parentContext(traceparent: string | string[] | null | undefined): Context {
  const parsed = parseTraceparent(traceparent)
  if (!parsed) return ROOT_CONTEXT
  const { traceId, spanId, flags } = parsed
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: flags & 1, isRemote: true })
}

/** The product's own attributes: `tenantId` is `age_verification.tenant_id`. What is undefined is left out. */
export function toAttributes(fields: Readonly<Record<string, string | number | undefined>>): Attributes {
  const attributes: Attributes = {}
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined)
      attributes[name.includes('.') ? name : `age_verification.${snakeCase(name)}`] = value
  }
  return attributes
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
