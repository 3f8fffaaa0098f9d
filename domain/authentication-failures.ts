import { isIPv6 } from 'node:net'
import { LRUCache } from 'lru-cache'
import { DomainError } from './errors.ts'
import { rateWindow, windowNumber } from './usage/rate-window.ts'
import { secondsUntil } from './usage/usage-period.ts'
import { groupsOfIPv6 } from './webhook/network.ts'

/** Failures per minute and client address. */
export const failuresPerMinute = 60

/** How many addresses are counted at a time; the least recent ones are dropped first. */
const addressesMax = 50_000

export interface AuthenticationFailures {
  /**
   * Counts a failed authentication. Returns the error for its response: `UNAUTHENTICATED_TENANT` as given, or
   * `RATE_LIMIT_EXCEEDED` once the address has failed more than 60 times in the minute.
   */
  record(address: string, error: DomainError, now: Date): DomainError
}

/**
 * Limits failed authentications by client address, in this process's memory. Credentials are checked before the
 * limit, so valid ones are never limited by address; what makes a failure cheap is that checking an unknown key again
 * needs no look-up.
 */
export function createAuthenticationFailures(): AuthenticationFailures {
  const counts = new LRUCache<string, number>({ max: addressesMax })
  return {
    record(address, error, now) {
      const bucket = `${windowNumber(now)} ${addressBlock(address)}`
      const count = (counts.get(bucket) ?? 0) + 1
      counts.set(bucket, count)
      const { exceeded, resetsAt } = rateWindow(count, failuresPerMinute, now)
      if (!exceeded) return error
      return new DomainError('RATE_LIMIT_EXCEEDED', {
        message: 'Too many failed authentications from this address. Retry after the given delay.',
        details: { retryAfterSeconds: secondsUntil(resetsAt, now) },
        cause: error,
      })
    },
  }
}

/** An IPv4 address, or the /64 network of an IPv6 address, because one client commonly has all of its addresses. */
export function addressBlock(address: string): string {
  if (!isIPv6(address)) return address
  const groups = groupsOfIPv6(address)
  const isMappedIPv4 = groups.slice(0, 5).every(group => group === 0) && groups[5] === 0xffff
  if (!isMappedIPv4)
    return `${groups
      .slice(0, 4)
      .map(group => group.toString(16))
      .join(':')}::/64`
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
