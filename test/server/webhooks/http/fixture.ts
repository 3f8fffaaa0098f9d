import type { AttemptOutcome, EventAttempt } from '#server/webhooks/http/make-attempt.ts'
import type { NameResolver } from '#server/webhooks/http/resolve-receiver.ts'
import {
  createWebhookSender,
  type EventSenderOptions,
  type WebhookSender,
} from '#server/webhooks/http/webhook-sender.ts'
import { tlsFile } from './tls-receiver.ts'

interface Closable {
  close(): Promise<unknown>
}

/** Closes in reverse, after each test, what the test has opened. */
export function useFixture(): <Opened extends Closable>(opened: Opened | Promise<Opened>) => Promise<Opened> {
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

/** A sender that may reach loopback and trusts the tests' authority. */
export function testSender(options: Partial<EventSenderOptions> = {}): WebhookSender {
  return createWebhookSender({
    allowedNetworks: ['127.0.0.0/8', '::1/128'],
    caFile: tlsFile('ca'),
    resolver: names({ 'receiver.test': ['127.0.0.1'] }),
    ...options,
  })
}

/** Resolves names from a table. */
export function names(table: Record<string, string[]>): NameResolver {
  const find = async (name: string, family: RegExp) => {
    const addresses = table[name]?.filter(address => family.test(address))
    if (!addresses?.length) throw Object.assign(new Error(`no answer for ${name}`), { code: 'ENODATA' })
    return addresses
  }
  return { resolve4: name => find(name, /\./), resolve6: name => find(name, /:/) }
}

export const event = (url: string, tenantId = 'tenant-a'): EventAttempt => ({
  tenantId,
  url,
  body: Buffer.from('{"event":"verification.completed"}'),
  headers: { 'content-type': 'application/json', 'x-webhook-event': 'verification.completed' },
})

/** The outcome without its time. */
export async function outcomeOf(
  sender: WebhookSender,
  url: string,
  tenantId?: string,
): Promise<Omit<AttemptOutcome, 'durationMs'>> {
  const { durationMs, ...outcome } = await sender.send(event(url, tenantId))
  if (!(durationMs >= 0)) throw new Error('An attempt takes some time')
  return outcome
}
