import type { Context } from 'koa'
import { z } from 'zod'
import { readBytes } from '#rest/read-body.ts'
import type { EventFile } from './event-file.ts'
import { isSigned } from './is-signed.ts'
import type { ReceivedEvent } from './received-event.ts'

const bodyBytesMax = 64 * 1024

export interface Reception {
  events: EventFile
  now: () => Date
  /** The secrets by which the tenant's events may be signed, the newest first; none for an unknown tenant. */
  secrets(tenantId: string): Promise<readonly string[]>
}

/**
 * Does what a tenant's receiver has to do: reads the raw bytes, checks their signature, and only then believes
 * them. Unlike a real one it also keeps what it refuses, so that a wrong secret can be seen.
 */
export async function receiveEvent(ctx: Context, { events, now, secrets }: Reception): Promise<void> {
  const bytes = await readBytes(ctx, bodyBytesMax)
  const body = parse(bytes)
  const tenant = z.object({ tenantId: z.uuid() }).safeParse(body)
  // Only chooses whose secrets are tried; the signature then has to be right by one of them.
  const acceptable = tenant.success ? await secrets(tenant.data.tenantId) : []
  const valid = isSigned(bytes, ctx.get('X-Webhook-Signature'), acceptable)
  await events.add({
    receivedAt: now().toISOString(),
    signature: valid ? 'valid' : 'invalid',
    headers: webhookHeaders(ctx),
    body,
    raw: bytes.toString('utf8'),
  } satisfies ReceivedEvent)
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
