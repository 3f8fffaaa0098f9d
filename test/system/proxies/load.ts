import { randomUUID } from 'node:crypto'
import { Agent, type Dispatcher, request } from 'undici'

/** What a load is about. */
export interface LoadTarget {
  apiKey: string
  /** A verification that stays undecided. */
  verificationId: string
  token: string
  /** A callback that changes nothing any more, and is acknowledged each time. */
  callback: { body: string; headers: Record<string, string> }
}

export interface Sent {
  kind: string
  /** On the clock of `performance.now()`. */
  startedAt: number
  tookMs: number
  /** The status of the response, or the code of the error. */
  outcome: number | string
}

export type Load = ReturnType<typeof startLoad>

/** Four requests a second. */
const everyMs = 250
const waitSeconds = 15

/** The responses that are right. */
const expected: Record<string, number> = { status: 200, start: 201, validate: 200, callback: 200, wait: 200 }
const kinds = ['status', 'start', 'validate', 'callback', 'status']

/**
 * Sends requests at a steady rate, whatever becomes of those before: in turn over HTTP/2, over HTTP/1.1, and on a
 * connection of its own. None is repeated.
 */
export function startLoad(url: string, target: LoadTarget) {
  const agent = (allowH2: boolean) =>
    new Agent({ connect: { rejectUnauthorized: false }, headersTimeout: 120_000, allowH2 })
  const [http2, http1] = [agent(true), agent(false)]
  const sent: Promise<Sent | undefined>[] = []
  const waiting = new AbortController()
  const timer = setInterval(() => {
    const count = sent.length
    const kind = count % 20 === 19 ? 'wait' : kinds[count % kinds.length]!
    sent.push(send(kind, count % 3))
  }, everyMs)

  async function send(kind: string, connection: number): Promise<Sent | undefined> {
    const startedAt = performance.now()
    const { path, ...options } = requestOf(kind, target)
    const signal = kind === 'wait' ? waiting.signal : null
    const dispatcher = connection === 0 ? http2 : http1
    const all = { ...options, reset: connection === 2, dispatcher, signal }
    const outcome = await request(url + path, all).then(async ({ statusCode, body }) => {
      await body.dump()
      return statusCode
    }, codeOf)
    if (signal?.aborted) return undefined
    return { kind, startedAt, tookMs: performance.now() - startedAt, outcome }
  }

  return {
    /** Sends no more. Resolves with all, but those that waited for a change, when the others have their responses. */
    async stop(): Promise<Sent[]> {
      clearInterval(timer)
      waiting.abort()
      const all = await Promise.all(sent)
      await Promise.all([http2, http1].map(each => each.destroy()))
      return all.filter(each => each !== undefined)
    },
  }
}

/** Those that did not get the response that they should. */
export function failuresOf(sent: readonly Sent[]): Sent[] {
  return sent.filter(({ kind, outcome }) => outcome !== expected[kind])
}

type Options = { path: string } & Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body'>

function requestOf(kind: string, { apiKey, verificationId, token, callback }: LoadTarget): Options {
  const status = `/verify/status?verificationId=${verificationId}`
  const headers = { 'x-tenant-api-key': apiKey }
  const post = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } } as const
  switch (kind) {
    case 'status':
      return { path: status, method: 'GET', headers }
    case 'wait':
      return { path: `${status}&wait=${waitSeconds}`, method: 'GET', headers }
    case 'start': {
      const repeatable = { ...post.headers, 'idempotency-key': randomUUID() }
      return { path: '/verify/start', ...post, headers: repeatable, body: '{}' }
    }
    case 'validate':
      return { path: '/tokens/validate', ...post, body: JSON.stringify({ token }) }
    default:
      return { path: '/verify/callback', method: 'POST', ...callback }
  }
}

function codeOf(error: Error & { code?: string }): string {
  return error.code ?? error.name
}
