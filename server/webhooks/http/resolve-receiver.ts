import { isIP } from 'node:net'
import type { AddressPolicy } from '#domain/webhook/public-address.policy.ts'
import { isLoopbackName } from '#domain/webhook/webhook-url.policy.ts'
import { AttemptFailure } from './attempt-failure.ts'

/** Looks names up; `Resolver` of `node:dns/promises` is one. */
export interface NameResolver {
  resolve4(name: string): Promise<string[]>
  resolve6(name: string): Promise<string[]>
}

/**
 * The addresses that a receiver may be dialled at, every one of them checked: a single address that is not
 * permitted refuses them all, because a name that mixes both is set up to reach inside.
 * Throws an `AttemptFailure` for `dns` or `blocked_address`.
 */
export async function resolveReceiver(
  host: string,
  policy: AddressPolicy,
  resolver: NameResolver,
): Promise<string[]> {
  if (isLoopbackName(host)) return permitted(['127.0.0.1', '::1'].filter(policy.permits), policy)
  if (isIP(host) !== 0) return permitted([host], policy)
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length === 0) {
    throw new AttemptFailure('dns', answers.find(answer => answer.status === 'rejected')?.reason)
  }
  return permitted(addresses, policy)
}

function permitted(addresses: string[], policy: AddressPolicy): string[] {
  if (addresses.length === 0 || !addresses.every(policy.permits)) throw new AttemptFailure('blocked_address')
  return addresses
}
