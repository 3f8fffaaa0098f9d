import { recordExport } from '#domain/audit/record-audit-event.ts'
import { DomainError } from '#domain/errors.ts'
import { inputIssues } from '#domain/input-issues.ts'
import type { MemberScope } from '#domain/scope.ts'
import { toDomainError } from '#domain/to-domain-error.ts'
import { dayOf } from '#domain/usage/usage-period.ts'
import { userKey } from '../authenticate.ts'
import { callOfMember, callOfUser } from '../calls.ts'
import type { ConsoleContext } from '../context.ts'
import { toHttpStatus } from '../errors.ts'
import { headersFor } from '../response-headers.ts'
import { csvFile } from './csv.ts'
import { type Export, exports } from './exports.ts'
import { RunningExports } from './running-exports.ts'

export interface ExportRequest {
  request: Request
  /** Below `/console/exports/`. */
  path: string
  context: ConsoleContext
  describe(fields: { procedure?: string }): void
  /** Called for an error before the response, and for one that ends it. */
  reportError(error: DomainError, path: string | undefined): void
}

/** What follows `/console/exports/` in the path of a request; undefined for any other one. */
export function readExportPath({ url }: Request, endpoint: string): string | undefined {
  const folder = `${endpoint}/exports/`
  const { pathname } = new URL(url)
  return pathname.startsWith(folder) ? pathname.slice(folder.length) : undefined
}

/**
 * Handles `GET /console/exports/NAME.csv`, with the checks of a procedure and the errors of the tenant API. The file is sent as
 * it is read; what fails in the middle ends the connection, so that no one takes a part for the whole. Who doesn't read the
 * body of a response cancels it.
 */
export function createExportHandler(): (request: ExportRequest) => Promise<Response> {
  const running = new RunningExports()
  return async exported => {
    const name = readName(exported.path)
    try {
      if (name === undefined) {
        throw new DomainError('ROUTE_NOT_FOUND', { message: 'The console has no such export.' })
      }
      exported.describe({ procedure: toProcedure(name) })
      return await respond(exported, name, running)
    } catch (error) {
      return failed(exported, name, error)
    }
  }
}

function readName(path: string): string | undefined {
  const name = path.replace(/\.csv$/, '')
  return name !== path && Object.hasOwn(exports, name) ? name : undefined
}

async function respond(
  { request, context, reportError }: ExportRequest,
  name: string,
  running: RunningExports,
): Promise<Response> {
  if (request.method !== 'GET') throw otherMethod()
  const exported = exports[name]!
  const { scope: userScope } = await callOfUser(context)
  const scope = await callOfMember(context, userScope, { right: exported.right, isRead: true })
  const onError = (error: unknown) => reportError(toDomainError(error), toProcedure(name))
  const chunks = read(exported, scope, readQuery(request, exported.filter), running, onError)
  // Before the response, so that an error until then gets one of its own.
  await chunks.next()
  return new Response(ReadableStream.from(chunks), { headers: toHeaders(name, context.now) })
}

/**
 * Reads the file, and records that it is exported: after the first read, which rejects a filter that no list accepts. Then it
 * yields nothing, once, and a chunk whenever the client has taken the one before. `onError` gets what fails after that.
 */
async function* read(
  { action, columns, records }: Export,
  scope: MemberScope,
  filter: Record<string, unknown>,
  running: RunningExports,
  onError: (error: unknown) => void,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder()
  const user = userKey(scope.actor)
  let isRecorded = false
  running.begin(user)
  try {
    for await (const chunk of csvFile(columns, records(scope, filter))) {
      if (!isRecorded) {
        await recordExport(scope, { action, filter })
        isRecorded = true
        yield new Uint8Array()
      }
      yield encoder.encode(chunk)
    }
  } catch (error) {
    if (isRecorded) onError(error)
    throw error
  } finally {
    running.end(user)
  }
}

/** Throws `INVALID_PARAMETERS`. A parameter that is repeated is a list. */
function readQuery(request: Request, schema: Export['filter']): Record<string, unknown> {
  const { searchParams } = new URL(request.url)
  const names = [...new Set(searchParams.keys())]
  const query = names.map(name => {
    const values = searchParams.getAll(name)
    return [name, values.length > 1 ? values : values[0]]
  })
  const read = schema.safeParse(Object.fromEntries(query))
  if (read.success) return read.data
  throw new DomainError('INVALID_PARAMETERS', { details: { issues: inputIssues(read.error) } })
}

function toHeaders(name: string, now: Date): Headers {
  const headers = headersFor([])
  headers.set('content-type', 'text/csv; charset=utf-8; header=present')
  headers.set('content-disposition', `attachment; filename="${name}-${dayOf(now)}.csv"`)
  return headers
}

function otherMethod(): DomainError {
  const details = { allowedMethods: ['GET' as const] }
  return new DomainError('ROUTE_NOT_FOUND', { message: 'An export is read with GET.', details })
}

/** As which it is logged. */
function toProcedure(name: string): string {
  return `exports.${name}`
}

function failed({ context, reportError }: ExportRequest, name: string | undefined, error: unknown): Response {
  const domainError = toDomainError(error)
  reportError(domainError, name === undefined ? undefined : toProcedure(name))
  const { code, message, details } = domainError
  const status = toHttpStatus(domainError)
  const headers = headersFor([{ httpStatus: status, details }])
  headers.set('content-type', 'application/json')
  const envelope = { error: code, message, ...(details && { details }), requestId: context.requestId }
  return new Response(JSON.stringify(envelope), { status, headers })
}
