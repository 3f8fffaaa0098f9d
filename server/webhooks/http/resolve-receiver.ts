import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AddressPolicy } from '#domain/network/public-address.policy.ts'
import { isLoopbackName } from '#domain/network/webhook-url.policy.ts'
import { AttemptError } from './attempt-error.ts'

/** Resolves host names; `Resolver` of `node:dns/promises` implements it. */
export interface NameResolver {
  resolve4(name: string): Promise<string[]>
  resolve6(name: string): Promise<string[]>
}

/** A host's addresses, all of them checked. */
export interface ReceiverAddresses {
  /** What is known when connecting can begin. */
  addresses: string[]
  /** All, once both families have responded or the time for the lookup is over. Never rejects. */
  complete: Promise<string[]>
}

/**
 * How long one family of addresses (IPv4, IPv6) waits for the other, in the lookup and in connecting: RFC 8305 recommends
 * 250 ms between two connections. The 50 ms that it recommends for lookups suit a browser; here, an address that isn't
 * permitted should be known before connecting, and a new connection is rare.
 */
export const familyDelayMs = 250

/**
 * Resolves a receiver's name. A single address that the policy doesn't permit rejects all that are known with it: a name
 * that mixes public and private addresses is set up to reach the internal network. Those that arrive later are only used
 * if all are permitted. Throws an `AttemptError` for `dns` or `blocked_address`.
 */
export async function resolveReceiver(host: string, options: ResolveOptions): Promise<ReceiverAddresses> {
  const { policy, resolver, lookupMsMax } = options
  if (isLoopbackName(host)) return known(['127.0.0.1', '::1'].filter(policy.permits), policy)
  if (isIP(host) !== 0) return known([host], policy)
  const families = [resolver.resolve4(host), resolver.resolve6(host)].map(requireAddresses)
  const both = within(lookupMsMax, Promise.allSettled(families)).then(lookups =>
    lookups?.flatMap(lookup => (lookup.status === 'fulfilled' ? lookup.value : [])),
  )
  const first = await within(lookupMsMax, Promise.any(families)).catch(cause => {
    throw new AttemptError('dns', { cause })
  })
  if (!first) throw new AttemptError('dns')
  const all = await within(familyDelayMs, both)
  if (all) return known(all, policy)
  const complete = both.then(late => (late?.every(policy.permits) ? late : []))
  return { ...known(first, policy), complete }
}

export interface ResolveOptions {
  policy: AddressPolicy
  resolver: NameResolver
  /** What a lookup can take of an attempt's time. */
  lookupMsMax: number
}

/** c-ares instead of getaddrinfo, which has few threads for all names: one dead name server would block them. */
export function createResolver(): Resolver {
  // With one name server it gives up after 2.4 s; with others, the next one is asked after 0.8 s.
  return new Resolver({ timeout: 800, tries: 3, maxTimeout: 800 })
}

function known(addresses: string[], policy: AddressPolicy): ReceiverAddresses {
  if (addresses.length === 0 || !addresses.every(policy.permits)) throw new AttemptError('blocked_address')
  return { addresses, complete: Promise.resolve(addresses) }
}

async function requireAddresses(lookup: Promise<string[]>): Promise<string[]> {
  const addresses = await lookup
  if (addresses.length === 0) throw new Error('no records')
  return addresses
}

/** The promise's outcome, or undefined after this time. */
async function within<Value>(milliseconds: number, promise: Promise<Value>): Promise<Value | undefined> {
  const timer = new AbortController()
  try {
    return await Promise.race([promise, sleep(milliseconds, undefined, { signal: timer.signal })])
  } finally {
    timer.abort()
  }
}
