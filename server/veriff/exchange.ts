import type { IncomingHttpHeaders } from 'node:http'
import type { Pool } from 'undici'
import { z } from 'zod'
import { ProviderUnavailable } from '#domain/ports.ts'

/** Of an answer's body; Veriff's are a few KiB. */
export const answerBytesMax = 1024 * 1024

export interface Question {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
  /** Whether 404 is an answer, not a failure. */
  missingIsAnswer?: boolean
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/**
 * Asks and reads the whole answer within the deadline. Throws `ProviderUnavailable` with a reason free of URLs,
 * bodies and keys, and without a cause: a parser's error quotes what it could not parse.
 */
export async function exchange(pool: Pool, question: Question, deadlineMs: number): Promise<Answer> {
  const abort = new AbortController()
  const { promise: deadline, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    // While connecting, undici heeds an abort only once there is a socket; the race does not wait for that.
    reject(new ProviderUnavailable(`Veriff did not answer within ${deadlineMs} ms`))
    abort.abort()
  }, deadlineMs)
  try {
    return await Promise.race([deadline, converse(pool, question, abort.signal)])
  } finally {
    clearTimeout(timer)
  }
}

/** The answer's JSON, checked. Throws `ProviderUnavailable`, which says nothing of what was answered. */
export function parseAnswer<S extends z.ZodType>(answer: Answer, schema: S): z.output<S> {
  const parsed = schema.safeParse(parseJson(answer.body))
  if (!parsed.success) throw new ProviderUnavailable('Veriff answered something that cannot be read')
  return parsed.data
}

async function converse(pool: Pool, question: Question, signal: AbortSignal): Promise<Answer> {
  const { missingIsAnswer = false, ...request } = question
  const answer = await transfer(pool, request, signal)
  const isExpected =
    (answer.status >= 200 && answer.status < 300) || (missingIsAnswer && answer.status === 404)
  if (!isExpected) throw new ProviderUnavailable(`Veriff answered ${answer.status}${faultCode(answer.body)}`)
  return answer
}

async function transfer(
  pool: Pool,
  request: Omit<Question, 'missingIsAnswer'>,
  signal: AbortSignal,
): Promise<Answer> {
  try {
    const { statusCode, headers, body } = await pool.request({ ...request, signal })
    return { status: statusCode, headers, body: Buffer.from(await body.arrayBuffer()) }
  } catch (error) {
    throw new ProviderUnavailable(`Veriff could not be reached: ${errorCode(error)}`)
  }
}

/** Node's and undici's codes, such as ECONNREFUSED or UND_ERR_RES_EXCEEDED_MAX_SIZE. */
function errorCode(error: unknown): string {
  const code = (error as { code?: unknown }).code
  return typeof code === 'string' ? code : (error as Error).name
}

/** Veriff's own number for a fault (1302: the callback must be https), which tells an operator what to mend. */
function faultCode(body: Buffer): string {
  const parsed = fault.safeParse(parseJson(body))
  return parsed.success ? ` with its code ${parsed.data.code}` : ''
}

const fault = z.object({
  code: z.union([z.string(), z.number().transform(String)]).pipe(z.string().regex(/^\d{4}$/)),
})

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
