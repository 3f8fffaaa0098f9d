import type { NameResolver } from '#server/webhooks/http/resolve-receiver.ts'
import {
  type AttemptResult,
  createWebhookSender,
  type WebhookRequest,
  type WebhookSender,
  type WebhookSenderOptions,
} from '#server/webhooks/http/webhook-sender.ts'
import { type ReceiverOptions, startReceiver, tlsFile } from './tls-receiver.ts'

interface Closable {
  close(): Promise<unknown>
}

/** Returns a function that registers what a test opens; all of it is closed after the test, in reverse order. */
export function useAutoClose(): <Opened extends Closable>(
  opened: Opened | Promise<Opened>,
) => Promise<Opened> {
  const open: Closable[] = []
  afterEach(async () => {
    for (const opened of open.splice(0).reverse()) await opened.close()
  })
  return async opening => {
    const opened = await opening
    open.push(opened)
    return opened
  }
}

/** A sender that can connect to loopback and trusts the tests' certificate authority. */
export function createTestSender(options: Partial<WebhookSenderOptions> = {}): WebhookSender {
  return createWebhookSender({
    allowedNetworks: ['127.0.0.0/8', '::1/128'],
    caFile: tlsFile('ca'),
    resolver: staticResolver({ 'receiver.test': ['127.0.0.1'] }),
    ...options,
  })
}

/** A sender, and a receiver that responds with 204 by default. Both are closed after the test. */
export async function startPair(
  open: ReturnType<typeof useAutoClose>,
  respond?: Parameters<typeof startReceiver>[1],
  { receiver = {}, ...options }: Partial<WebhookSenderOptions> & { receiver?: ReceiverOptions } = {},
) {
  const started = await open(startReceiver(receiver, respond))
  const sender = await open(createTestSender(options))
  return { receiver: started, sender, url: started.url, sendOne: () => send(sender, started.url) }
}

/** Resolves names from a table. */
export function staticResolver(table: Record<string, string[]>): NameResolver {
  const find = async (name: string, family: RegExp) => {
    const addresses = table[name]?.filter(address => family.test(address))
    if (!addresses?.length) throw Object.assign(new Error(`no records for ${name}`), { code: 'ENODATA' })
    return addresses
  }
  return { resolve4: name => find(name, /\./), resolve6: name => find(name, /:/) }
}

export const requestTo = (url: string, tenantId = 'tenant-a'): WebhookRequest => ({
  tenantId,
  url,
  body: Buffer.from('{"event":"verification.completed"}'),
  headers: { 'content-type': 'application/json', 'x-webhook-event': 'verification.completed' },
})

/** Sends a request; returns the result without its duration. */
export async function send(
  sender: WebhookSender,
  url: string,
  tenantId?: string,
): Promise<Omit<AttemptResult, 'durationMs'>> {
  const { durationMs, ...result } = await sender.send(requestTo(url, tenantId))
  if (!(durationMs >= 0)) throw new Error(`Not a duration: ${durationMs}`)
  return result
}

/** Sets a variable of the environment; returns the function that restores it. */
export function setVariable(name: string, value: string): () => void {
  const before = process.env[name]
  process.env[name] = value
  return () => {
    if (before === undefined) delete process.env[name]
    else process.env[name] = before
  }
}
