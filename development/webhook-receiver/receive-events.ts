import { once } from 'node:events'
import { createServer } from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'
import Koa, { type Context } from 'koa'
import { verifyWebhook, WebhookVerificationError } from '#clients/typescript/src/index.ts'
import { parseJson } from '#clients/typescript/src/json.ts'
import { DomainError } from '#domain/errors.ts'
import { readBytes } from '#rest/read-body.ts'
import { loopback } from '../embedded-context.ts'
import { listenLocally } from '../local-requests.ts'
import { loadOrCreateCertificate } from './certificate.ts'

/** A webhook event as it was received. */
export interface ReceivedEvent {
  /** ISO 8601. */
  receivedAt: string
  /** Whether it was signed with one of the secrets; not verified if none is known. */
  signature: 'valid' | 'invalid' | 'not verified'
  /** The `x-webhook-*` headers, their names in lower case. */
  headers: Record<string, string>
  /** The body as JSON; null if it is not JSON. */
  body: unknown
  /** The raw body that was signed, as UTF-8. */
  raw: string
  /** Which secret it is signed with, from 1, and how many there are. */
  secretNumber: number
  secretCount: number
  /** Of the response. */
  status: number
  /** Why it could not be passed on. */
  forwardError?: string | undefined
  /** Whether the sender closed the connection before it had the response. */
  abandoned: boolean
}

export interface ReceiverOptions {
  /** Where the certificate is. */
  folder: string
  /** 0 picks a free port. */
  port: number
  path: string
  /** The secrets that can have signed an event; undefined to accept any. */
  secretsFor(body: unknown): Promise<readonly string[]> | readonly string[] | undefined
  /** Called for an event that is signed with none of these secrets. Returns those that are known now. */
  rereadSecrets?: (() => Promise<readonly string[]>) | undefined
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
}

const bodyBytesMax = 64 * 1024

/**
 * Starts an https endpoint for webhook events on loopback, whose `authorityFile` senders must trust. Throws a `StartError` if it
 * cannot listen.
 */
export async function receiveEvents(options: ReceiverOptions) {
  const { folder, onError } = options
  const { keyAndCertificate: key, authorityFile } = await loadOrCreateCertificate(folder)
  const app = new Koa()
  app.on('error', onError)
  app.use(async ctx => {
    if (ctx.method !== 'POST') return
    try {
      await receiveEvent(ctx, options)
    } catch (error) {
      onError(error as Error)
      // The sender repeats an event that could not be looked up.
      ctx.status = error instanceof DomainError ? 400 : 503
    }
    ctx.body = ''
  })
  const server = createServer({ key, cert: key }, app.callback())
  const { port, close } = await listenLocally('The webhook receiver', server, options.port)
  return { url: `https://${loopback}:${port}${options.path}`, authorityFile, close }
}

async function receiveEvent(ctx: Context, options: ReceiverOptions): Promise<void> {
  const receivedAt = new Date().toISOString()
  const { delayMs = 0, forwardTo } = options
  const bytes = await readBytes(ctx, bodyBytesMax)
  const raw = bytes.toString()
  const body = parseJson(raw) ?? null
  const kept = Object.entries(ctx.headers).filter(([name]) => name.startsWith('x-webhook-'))
  const headers = Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
  // The body only selects the secrets; it is not trusted unless one of them matches.
  let secrets = await options.secretsFor(body)
  let secretNumber = 1 + (await findSecret(bytes, headers, secrets ?? []))
  if (secrets && secretNumber === 0 && options.rereadSecrets) {
    secrets = await options.rereadSecrets()
    secretNumber = 1 + (await findSecret(bytes, headers, secrets))
  }
  const signature = secrets ? (secretNumber === 0 ? 'invalid' : 'valid') : 'not verified'
  const forwardedHeaders = { ...headers, 'content-type': ctx.get('Content-Type') }
  const forwarded = forwardTo ? await forward(forwardTo, bytes, forwardedHeaders) : {}
  const status = options.status ?? forwarded.status ?? (signature === 'invalid' ? 401 : 200)
  if (delayMs > 0 && !ctx.res.closed) {
    await Promise.race([wait(delayMs, undefined, { ref: false }), once(ctx.res, 'close')])
  }
  const received = { receivedAt, signature, headers, body, raw, secretNumber } as const
  const { forwardError } = forwarded
  const secretCount = secrets?.length ?? 0
  options.onEvent({ ...received, secretCount, status, forwardError, abandoned: ctx.res.closed })
  ctx.status = status
}

/** The index of the secret that the event is signed with; -1 if it is none of them. */
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
): Promise<{ status?: number; forwardError?: string }> {
  const signal = AbortSignal.timeout(30_000)
  const request = { method: 'POST', headers, body: new Uint8Array(body), redirect: 'manual', signal } as const
  try {
    const response = await fetch(url, request)
    await response.body?.cancel()
    return { status: response.status }
  } catch (error) {
    const { message, cause } = error as Error
    return { status: 502, forwardError: cause instanceof Error && cause.message ? cause.message : message }
  }
}
