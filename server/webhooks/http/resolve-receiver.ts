import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AddressPolicy } from '#domain/network/public-address.policy.ts'
import { isLoopbackName } from '#domain/network/webhook-url.policy.ts'
import { AttemptError } from './attempt-error.ts'

/** Resolves host names; `Resolver` of `node:dns/promises` implements it. */
export interface NameResolver {
  resolve4(name: string): Promise<string[]>
  resolve6(name: string): Promise<string[]>
}

export interface ResolveOptions {
  policy: AddressPolicy
  resolver: NameResolver
  /** What a lookup can take of an attempt's time. */
  lookupMsMax: number
}

/** How long one family of addresses (IPv4, IPv6) waits for the other: its name servers may never answer for that. */
const familyDelayMs = 250

/** Bounds the connections to a name with hundreds of addresses. */
const addressesMax = 8

/** c-ares instead of getaddrinfo, which has few threads for all names: one dead name server would block them. */
export function createResolver(): Resolver {
  // With one name server it gives up after 2.4 s; with others, the next one is asked after 0.8 s.
  return new Resolver({ timeout: 800, tries: 3, maxTimeout: 800 })
}

/**
 * The lookup of Node's connections, so that only checked addresses are connected to: the name isn't resolved again, and a change
 * of its records after the check (DNS rebinding) has no effect. Fails with an `AttemptError`.
 */
export function checkedLookup(options: ResolveOptions): LookupFunction {
  return (host, { all }, callback) => {
    const found = (addresses: string[]) => {
      const results = addresses.map(address => ({ address, family: isIP(address) }))
      if (all) callback(null, results)
      else callback(null, results[0]!.address, results[0]!.family)
    }
    resolveReceiver(host, options).then(found, (error: Error) => callback(error, []))
  }
}

/**
 * A single address that the policy doesn't permit rejects all: a name that mixes public and private addresses is set up to
 * reach the internal network. Throws an `AttemptError` for `dns` or `blocked_address`.
 */
async function resolveReceiver(host: string, options: ResolveOptions): Promise<string[]> {
  const { policy, resolver, lookupMsMax } = options
  if (isLoopbackName(host)) return check(['127.0.0.1', '::1'].filter(policy.permits), policy)
  const families = [resolver.resolve4(host), resolver.resolve6(host)].map(requireAddresses)
  const both = Promise.allSettled(families)
  const first = await within(lookupMsMax, Promise.any(families)).catch(cause => {
    throw new AttemptError('dns', { cause })
  })
  if (!first) throw new AttemptError('dns')
  const lookups = await within(familyDelayMs, both)
  const all = lookups?.flatMap(lookup => (lookup.status === 'fulfilled' ? lookup.value : []))
  return check(all ?? first, policy)
}

function check(addresses: string[], policy: AddressPolicy): string[] {
  if (addresses.length === 0 || !addresses.every(policy.permits)) throw new AttemptError('blocked_address')
  return addresses.slice(0, addressesMax)
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
