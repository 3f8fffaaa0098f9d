import { once } from 'node:events'
import { createServer } from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'
import Koa, { type Context } from 'koa'
import { verifyWebhook, WebhookVerificationError } from '#clients/typescript/src/index.ts'
import { DomainError } from '#domain/errors.ts'
import { readBytes } from '#rest/read-body.ts'
import { loopback } from '../embedded-context.ts'
import { listenLocally } from '../local-requests.ts'
import type { Certificate } from './certificate.ts'

/** An event, and what was made of it. */
export interface ReceivedEvent {
  receivedAt: Date
  /** The `x-webhook-*` headers, their names in lower case. */
  headers: Record<string, string>
  /** The raw body that was signed, as UTF-8. */
  raw: string
  /** The body as JSON; null if it is not JSON. */
  body: unknown
  /** The secrets that the signature was compared with; undefined if none is known. */
  secrets: readonly string[] | undefined
  /** The index of the one that the event is signed with; -1 if it is none of them. */
  secret: number
  status: number
  /** Why it could not be passed on. */
  forwardError?: string | undefined
  /** Whether the sender closed the connection before it had the response. */
  abandoned: boolean
}

export interface ReceiverOptions {
  /** 0 picks a free port. */
  port: number
  path: string
  certificate: Certificate
  /** The secrets that can have signed an event; undefined to accept any. */
  secretsFor(body: unknown): Promise<readonly string[]> | readonly string[] | undefined
  /** Called when the response is about to be sent, or once the sender has closed the connection. */
  onEvent(event: ReceivedEvent): void
  /** Called for a request that could not be read or handled. */
  onError(error: Error): void
  /** The program that events are passed on to; its response is the receiver's. */
  forwardTo?: string | undefined
  /** The status of every response; by default 200 or, for an invalid signature, 401. */
  status?: number | undefined
  /** Before each response. */
  delayMs?: number
  now?: () => Date
}

const bodyBytesMax = 64 * 1024

/** Starts an https endpoint for webhook events on loopback. Throws a `StartError` if it cannot listen. */
export async function receiveEvents(
  options: ReceiverOptions,
): Promise<{ url: string; close(): Promise<void> }> {
  const app = new Koa()
  app.on('error', options.onError)
  app.use(async ctx => {
    if (ctx.method !== 'POST') return
    try {
      await receiveEvent(ctx, options)
    } catch (error) {
      options.onError(error as Error)
      // The sender repeats an event that could not be looked up or stored.
      ctx.status = error instanceof DomainError ? 400 : 503
    }
    ctx.body = ''
  })
  const { keyAndCertificate: key } = options.certificate
  const server = createServer({ key, cert: key }, app.callback())
  const { port, close } = await listenLocally('The webhook receiver', server, options.port)
  return { url: `https://${loopback}:${port}${options.path}`, close }
}

async function receiveEvent(ctx: Context, options: ReceiverOptions): Promise<void> {
  const { delayMs = 0, now = () => new Date() } = options
  const receivedAt = now()
  const bytes = await readBytes(ctx, bodyBytesMax)
  const body = parseJson(bytes.toString())
  const kept = Object.entries(ctx.headers).filter(([name]) => name.startsWith('x-webhook-'))
  const headers = Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
  // The body only selects the secrets; it is not trusted unless one of them matches.
  const secrets = await options.secretsFor(body)
  const secret = await findSecret(bytes, headers, secrets ?? [])
  const type = ctx.get('Content-Type')
  const forwarded = options.forwardTo
    ? await forward(options.forwardTo, bytes, { ...headers, 'content-type': type })
    : {}
  const status = options.status ?? forwarded.status ?? (secret === -1 && secrets ? 401 : 200)
  if (delayMs > 0 && !ctx.res.closed) {
    await Promise.race([wait(delayMs, undefined, { ref: false }), once(ctx.res, 'close')])
  }
  const verdict = { secrets, secret, status, forwardError: forwarded.error, abandoned: ctx.res.closed }
  options.onEvent({ receivedAt, headers, raw: bytes.toString(), body, ...verdict })
  ctx.status = status
}

async function findSecret(
  body: Buffer,
  headers: Record<string, string>,
  secrets: readonly string[],
): Promise<number> {
  for (const [index, secret] of secrets.entries()) {
    try {
      await verifyWebhook(body, headers, secret)
      return index
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error
      // Old events and other bodies are signed, too.
      if (!error.reason.startsWith('signature')) return index
    }
  }
  return -1
}

/** Passes an event on: the same bytes and headers. The status is the program's; 502 without a response. */
async function forward(
  url: string,
  body: Buffer,
  headers: Record<string, string>,
): Promise<{ status?: number; error?: string }> {
  const signal = AbortSignal.timeout(30_000)
  const request = { method: 'POST', headers, body: new Uint8Array(body), redirect: 'manual', signal } as const
  try {
    const response = await fetch(url, request)
    await response.body?.cancel()
    return { status: response.status }
  } catch (error) {
    const { message, cause } = error as Error
    return { status: 502, error: cause instanceof Error && cause.message ? cause.message : message }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
