import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { DomainError } from '#domain/errors.ts'
import { type Operation, type OperationKind, operations } from '#domain/tracing.ts'
import { isServerError } from '#rest/errors.ts'
import { type ErrorFields, errorFields } from '../../logging/error-fields.ts'
import { parentContext, type SpanContext, toAttributes } from './span-context.ts'

const kinds: Record<OperationKind, SpanKind> = {
  verb: SpanKind.INTERNAL,
  transaction: SpanKind.INTERNAL,
  job: SpanKind.INTERNAL,
  delivery: SpanKind.INTERNAL,
  statement: SpanKind.CLIENT,
  redis: SpanKind.CLIENT,
  provider: SpanKind.CLIENT,
  webhook: SpanKind.CLIENT,
}

/** What Node's channel adds to an operation that failed. */
type Settled = Operation & { error?: unknown }

/** Makes spans of the operations, until the returned function is called. */
export function traceOperations(tracer: Tracer, current: SpanContext): () => void {
  const spans = new WeakMap<Operation, readonly Span[]>()

  function startSpan({ kind, name, callers }: Operation, parent: Context): Span {
    const attributes = {
      ...databaseAttributes(kind, name),
      ...(callers ? { 'db.operation.batch.size': callers.length } : {}),
    }
    return tracer.startSpan(name, { kind: kinds[kind], attributes }, parent)
  }

  /** One span in each trace that the statement is a part of. */
  function startShared(operation: Operation, callers: NonNullable<Operation['callers']>): void {
    const started: Span[] = []
    for (const caller of callers) {
      if (caller?.(current.recording)) started.push(startSpan(operation, caller(current.active)))
    }
    spans.set(operation, started)
  }

  /** Starts the operation's spans, and returns the context that it runs in. */
  function enter(operation: Operation): Context {
    const { kind, callers, parent } = operation
    if (callers) {
      startShared(operation, callers)
      return current.active()
    }
    // A delivery whose completion was not traced is not traced either.
    if (kind === 'delivery' && !parent) return ROOT_CONTEXT
    const begins = kind === 'job' || kind === 'delivery'
    if (!begins && !current.recording()) return current.active()
    const context = begins ? parentContext(parent) : current.active()
    const span = startSpan(operation, context)
    spans.set(operation, [span])
    return trace.setSpan(context, span)
  }

  function end(operation: Settled): void {
    const started = spans.get(operation)
    if (!started) return
    spans.delete(operation)
    for (const span of started) {
      if (operation.attributes) span.setAttributes(toAttributes(operation.attributes))
      if (operation.error !== undefined) fail(span, operation.kind, operation.error)
      span.end()
    }
  }

  // Node requires none of the others, which its types say.
  const subscribers = { asyncEnd: end, error: end } as Parameters<typeof operations.subscribe>[0]
  operations.start.bindStore(current.storage, enter)
  operations.subscribe(subscribers)
  return () => {
    operations.start.unbindStore(current.storage)
    operations.unsubscribe(subscribers)
  }
}

function databaseAttributes(kind: OperationKind, name: string): Attributes {
  if (kind === 'statement') return { 'db.system.name': 'postgresql', 'db.query.summary': name }
  if (kind === 'redis') return { 'db.system.name': 'redis', 'db.operation.name': name }
  return {}
}

/** The class or the code of what failed, as in the log. A rejection that the caller is to blame for is no error. */
function fail(span: Span, kind: OperationKind, error: unknown): void {
  const { type, code, reply } = innermostFields(error)
  const status = code ?? reply
  span.setAttribute('error.type', status ?? type)
  if (status !== undefined && (kind === 'statement' || kind === 'redis')) {
    span.setAttribute('db.response.status_code', status)
  }
  const isRejection = error instanceof DomainError && !isServerError(error.code)
  if (!isRejection) span.setStatus({ code: SpanStatusCode.ERROR })
}

/** What a driver said, below the errors that pass it on. */
function innermostFields(error: unknown): ErrorFields {
  let fields = errorFields(error)
  while (typeof fields === 'object' && typeof fields.cause === 'object') fields = fields.cause
  return typeof fields === 'string' ? { type: 'Error' } : fields
}
