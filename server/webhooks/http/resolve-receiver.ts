import { isIP } from 'node:net'
import type { AddressPolicy } from '#domain/network/public-address.policy.ts'
import { isLoopbackName } from '#domain/network/webhook-url.policy.ts'
import { AttemptError } from './attempt-error.ts'

/**
 * Returns the addresses to connect to, all of them checked. A single address that the policy doesn't permit
 * rejects them all: a name that mixes public and private addresses is set up to reach the internal network.
 * Throws an `AttemptError` for `dns` or `blocked_address`.
 */
export async function resolveReceiver(
  host: string,
  policy: AddressPolicy,
  resolver: NameResolver,
): Promise<string[]> {
  if (isLoopbackName(host)) return permitted(['127.0.0.1', '::1'].filter(policy.permits), policy)
  if (isIP(host) !== 0) return permitted([host], policy)
  const lookups = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = lookups.flatMap(lookup => (lookup.status === 'fulfilled' ? lookup.value : []))
  if (addresses.length === 0) {
    throw new AttemptError('dns', lookups.find(lookup => lookup.status === 'rejected')?.reason)
  }
  return permitted(addresses, policy)
}

/** Resolves host names; `Resolver` of `node:dns/promises` implements it. */
export interface NameResolver {
  resolve4(name: string): Promise<string[]>
  resolve6(name: string): Promise<string[]>
}

function permitted(addresses: string[], policy: AddressPolicy): string[] {
  if (addresses.length === 0 || !addresses.every(policy.permits)) throw new AttemptError('blocked_address')
  return addresses
}
