import { isIPv6 } from 'node:net'
import { DomainError } from './errors.ts'
import { groupsOfIPv6 } from './network/network.ts'
import type { RateLimiter } from './ports.ts'
import { windowEnd } from './rate-window.ts'
import { secondsUntil } from './usage/usage-period.ts'

/** Failures per minute and client address. */
export const failuresPerMinute = 60

export interface AuthenticationFailures {
  /** Throws `RATE_LIMIT_EXCEEDED` if the address has failed 60 times in the minute, and `REDIS_ERROR`. */
  assertBelowLimit(address: string, now: Date): Promise<void>
  /**
   * Counts a failed authentication. Returns the error for its response: `UNAUTHENTICATED_TENANT` as given, or
   * `RATE_LIMIT_EXCEEDED` once the address has failed more than 60 times in the minute. While failures can't be counted,
   * they keep their error.
   */
  record(address: string, error: DomainError, now: Date): Promise<DomainError>
}

/**
 * Limits failed authentications by client address, with the counters of the rate limits, so that all processes count
 * together. Beyond the limit an API key that isn't known is not looked up, and nothing is written.
 */
export function createAuthenticationFailures(limiter: RateLimiter): AuthenticationFailures {
  const toBucket = (address: string) => `failures:${addressBlock(address)}`
  const hasReachedLimit = async (address: string, now: Date) =>
    (await limiter.count(toBucket(address), now)) >= failuresPerMinute
  return {
    async assertBelowLimit(address, now) {
      if (await hasReachedLimit(address, now)) throw tooManyFailures(now)
    },
    async record(address, error, now) {
      try {
        if (await hasReachedLimit(address, now)) return tooManyFailures(now, error)
        const { exceeded } = await limiter.hit(toBucket(address), failuresPerMinute, now)
        return exceeded ? tooManyFailures(now, error) : error
      } catch (failure) {
        if (failure instanceof DomainError && failure.code === 'REDIS_ERROR') return error
        throw failure
      }
    },
  }
}

function tooManyFailures(now: Date, cause?: DomainError): DomainError {
  return new DomainError('RATE_LIMIT_EXCEEDED', {
    message: 'Too many failed authentications from this address. Retry after the given delay.',
    details: { retryAfterSeconds: secondsUntil(windowEnd(now), now) },
    cause,
  })
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
