import { createServer } from 'node:https'
import Koa, { type Context } from 'koa'
import { verifyWebhook, WebhookVerificationError } from '#clients/typescript/src/index.ts'
import { parseJson } from '#clients/typescript/src/json.ts'
import { DomainError } from '#domain/errors.ts'
import { readBytes } from '#rest/read-body.ts'
import { loopback } from '../embedded-context.ts'
import { listenLocally } from '../local-requests.ts'
import { noPlace } from '../no-place.ts'
import { loadOrCreateCertificate } from './certificate.ts'

/** A webhook event as it was received. */
export interface ReceivedEvent {
  /** ISO 8601. */
  receivedAt: string
  /** Whether it was signed with one of the secrets. */
  signature: 'valid' | 'invalid'
  /** The `x-webhook-*` headers, their names in lower case. */
  headers: Record<string, string>
  /** The body as JSON; null if it is not JSON. */
  body: unknown
  /** The raw body that was signed, as UTF-8. */
  raw: string
}

export interface ReceiverOptions {
  /** Where the certificate is. */
  folder: string
  /** 0 picks a free port. */
  port: number
  path: string
  /** The secrets that can have signed an event. */
  secretsFor(body: unknown): Promise<readonly string[]> | readonly string[]
  onEvent(event: ReceivedEvent): void
  /** Called for a request that could not be read or handled. */
  onError(error: Error): void
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
      const event = await readEvent(ctx, options)
      options.onEvent(event)
      ctx.status = event.signature === 'valid' ? 200 : 401
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

async function readEvent(ctx: Context, { secretsFor }: ReceiverOptions): Promise<ReceivedEvent> {
  const receivedAt = new Date().toISOString()
  const bytes = await readBytes(ctx, noPlace, bodyBytesMax)
  const raw = bytes.toString()
  const body = parseJson(raw) ?? null
  const kept = Object.entries(ctx.headers).filter(([name]) => name.startsWith('x-webhook-'))
  const headers = Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
  // The body only selects the secrets; it is not trusted unless one of them matches.
  const isSigned = await isSignedWith(await secretsFor(body), bytes, headers)
  return { receivedAt, signature: isSigned ? 'valid' : 'invalid', headers, body, raw }
}

async function isSignedWith(
  secrets: readonly string[],
  body: Buffer,
  headers: Record<string, string>,
): Promise<boolean> {
  if (secrets.length === 0) return false
  try {
    await verifyWebhook(body, headers, secrets)
    return true
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    // Old events and other bodies are signed, too.
    return !error.reason.startsWith('signature')
  }
}
