import { Router } from '@koa/router'
import Koa, { type Context, type Next } from 'koa'
import { z } from 'zod'
import { DomainError } from '#domain/errors.ts'
import { readBytes } from '#rest/read-body.ts'
import type { EventStore } from './event-store.ts'
import { findSigningSecret } from './signing-secret.ts'

const bodyBytesMax = 64 * 1024

export interface ReceiverOptions {
  events: EventStore
  now: () => Date
  /** Returns the tenant's webhook secrets, the newest first; none for an unknown tenant. */
  secrets(tenantId: string): Promise<readonly string[]>
}

/** The endpoint that events are delivered to. */
export function createReceiverApp(options: ReceiverOptions, onError: (error: Error) => void): Koa {
  const app = new Koa()
  app.on('error', onError)
  app.use(handleErrors)
  const router = new Router()
  router.post('/events', ctx => receiveEvent(ctx, options))
  app.use(router.routes())
  return app
}

/**
 * Does what a tenant's receiver has to do: reads the raw body, verifies its signature, and only then trusts it.
 * Unlike a real one, it also stores events with an invalid signature, so that a wrong secret can be noticed.
 */
async function receiveEvent(ctx: Context, { events, now, secrets }: ReceiverOptions): Promise<void> {
  const bytes = await readBytes(ctx, bodyBytesMax)
  const body = parse(bytes)
  const tenant = z.object({ tenantId: z.uuid() }).safeParse(body)
  // Only selects the secrets; the event is not trusted unless one of them matches.
  const acceptable = tenant.success ? await secrets(tenant.data.tenantId) : []
  const valid = findSigningSecret(bytes, ctx.get('X-Webhook-Signature'), acceptable) !== -1
  events.add({
    receivedAt: now().toISOString(),
    signature: valid ? 'valid' : 'invalid',
    headers: webhookHeaders(ctx),
    body,
    raw: bytes.toString('utf8'),
  })
  ctx.status = valid ? 200 : 401
  ctx.body = { received: valid }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
}

function webhookHeaders(ctx: Context): Record<string, string> {
  const names = Object.keys(ctx.headers).filter(name => name.startsWith('x-webhook-'))
  return Object.fromEntries(names.map(name => [name, ctx.get(name)]))
}

async function handleErrors(ctx: Context, next: Next): Promise<void> {
  try {
    await next()
  } catch (error) {
    const invalid = error instanceof DomainError
    if (!invalid) ctx.app.emit('error', error, ctx)
    // 503 if the secrets cannot be looked up or the event cannot be stored: the sender retries.
    ctx.status = invalid ? 400 : 503
    ctx.body = { received: false }
  }
}
