import { createServer } from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'
import Koa, { type Context } from 'koa'
import { readBytes } from '#rest/read-body.ts'
import { loopback } from '../embedded-context.ts'
import type { Certificate } from '../webhook-receiver/certificate.ts'
import { close, listen } from '../webhook-receiver/listen.ts'
import { findSigningSecret } from '../webhook-receiver/signing-secret.ts'
import { forwardEvent } from './forward-event.ts'
import type { ReceiveOptions } from './options.ts'

/** An event, and what was made of it. */
export interface HandledEvent {
  receivedAt: Date
  body: Buffer
  /** The index of the secret that it is signed with; -1 if it is none of them. */
  secret: number
  status: number
  /** Why it could not be passed on. */
  forwardError: string | undefined
  /** Whether the sender closed the connection before it had the response. */
  abandoned: boolean
}

export interface EventServerOptions
  extends Pick<ReceiveOptions, 'port' | 'status' | 'delayMs' | 'forwardTo'> {
  certificate: Certificate
  /** Returns the secrets at the time of an event. */
  secrets: () => readonly string[]
  /** Called when the response is about to be sent, or once the sender has closed the connection. */
  onEvent: (event: HandledEvent) => void
  /** Called for a request that could not be read, such as one that is too long or that was cut off. */
  onError: (error: Error) => void
}

export interface EventServer {
  webhookUrl: string
  close(): Promise<void>
}

const bodyBytesMax = 64 * 1024

/** Starts an https endpoint for events on loopback. Throws a `StartError` if the port is taken. */
export async function startEventServer(options: EventServerOptions): Promise<EventServer> {
  const { keyAndCertificate } = options.certificate
  const closed = new AbortController()
  const app = new Koa().use(ctx => handleEvent(ctx, options, closed.signal))
  app.on('error', options.onError)
  const server = createServer({ key: keyAndCertificate, cert: keyAndCertificate }, app.callback())
  const webhookUrl = `https://${await listen(server, loopback, options.port)}/webhooks`
  return {
    webhookUrl,
    close: async () => {
      closed.abort()
      await close(server)
    },
  }
}

async function handleEvent(ctx: Context, options: EventServerOptions, closed: AbortSignal): Promise<void> {
  if (ctx.method !== 'POST') return
  const receivedAt = new Date()
  const gone = new AbortController()
  ctx.res.once('close', () => gone.abort())
  const body = await readBytes(ctx, bodyBytesMax)
  const secrets = options.secrets()
  const secret = findSigningSecret(body, ctx.get('X-Webhook-Signature'), secrets)
  const forwarded = options.forwardTo ? await forwardEvent(options.forwardTo, ctx.headers, body) : undefined
  const status = options.status ?? forwarded?.status ?? (secret === -1 && secrets.length > 0 ? 401 : 200)
  await delay(options.delayMs, AbortSignal.any([gone.signal, closed]))
  if (closed.aborted) return
  ctx.status = status
  ctx.body = ''
  const abandoned = gone.signal.aborted
  options.onEvent({ receivedAt, body, secret, status, forwardError: forwarded?.error, abandoned })
}

/** Waits, but not for a response that nobody would get. */
async function delay(ms: number, signal: AbortSignal): Promise<void> {
  if (ms === 0) return
  try {
    await wait(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
