import { isIPv6 } from 'node:net'
import { LRUCache } from 'lru-cache'
import { DomainError } from './errors.ts'
import type { RateLimiter } from './ports.ts'
import { windowEnd, windowNumber } from './usage/rate-window.ts'
import { secondsUntil } from './usage/usage-period.ts'
import { groupsOfIPv6 } from './webhook/network.ts'

/** Failures per minute and client address. */
export const failuresPerMinute = 60

/** How many addresses have their look-ups counted at a time; the least recent ones are dropped first. */
const addressesMax = 50_000

/** To be called when a look-up has ended. */
export type EndLookUp = (hasFailed: boolean) => void

export interface AuthenticationFailures {
  /**
   * Waits until a look-up of credentials that may be unknown can't exceed the limit, together with those at work for the
   * address. Throws `RATE_LIMIT_EXCEEDED` if the address has failed 60 times in the minute, and `REDIS_ERROR`.
   */
  beginLookUp(address: string, now: Date): Promise<EndLookUp>
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
  const bucketOf = (address: string) => `failures:${addressBlock(address)}`
  const lookUps = new LRUCache<string, LookUps>({ max: addressesMax })
  function lookUpsOf(address: string, now: Date): LookUps {
    const bucket = `${windowNumber(now)} ${addressBlock(address)}`
    const known = lookUps.get(bucket) ?? new LookUps()
    lookUps.set(bucket, known)
    return known
  }
  const hasReachedLimit = async (address: string, now: Date) =>
    (await limiter.count(bucketOf(address), now)) >= failuresPerMinute
  return {
    async beginLookUp(address, now) {
      const own = lookUpsOf(address, now)
      if (!(await own.begin())) throw tooManyFailures(now)
      const end: EndLookUp = hasFailed => own.end(hasFailed)
      try {
        if (await hasReachedLimit(address, now)) throw tooManyFailures(now)
        return end
      } catch (error) {
        end(false)
        throw error
      }
    },
    async record(address, error, now) {
      try {
        if (await hasReachedLimit(address, now)) return tooManyFailures(now, error)
        const { exceeded } = await limiter.hit(bucketOf(address), failuresPerMinute, now)
        return exceeded ? tooManyFailures(now, error) : error
      } catch (failure) {
        if (failure instanceof DomainError && failure.code === 'REDIS_ERROR') return error
        throw failure
      }
    },
  }
}

/**
 * The look-ups of this process for one address in one minute. Those at work and those that have failed are 60 at most;
 * others wait, so that concurrent ones don't exceed the limit, and none is rejected that may succeed.
 */
class LookUps {
  #atWork = 0
  #failed = 0
  #waiting: (() => void)[] = []

  /** Resolves with false if 60 have failed. */
  async begin(): Promise<boolean> {
    while (this.#atWork + this.#failed >= failuresPerMinute) {
      if (this.#failed >= failuresPerMinute) return false
      await new Promise<void>(resolve => this.#waiting.push(resolve))
    }
    this.#atWork += 1
    return true
  }

  /** A success makes room for one more, the last failure ends the wait of all. */
  end(hasFailed: boolean): void {
    this.#atWork -= 1
    if (hasFailed) this.#failed += 1
    const room = hasFailed ? 0 : 1
    const woken = this.#failed < failuresPerMinute ? room : this.#waiting.length
    for (const resolve of this.#waiting.splice(0, woken)) resolve()
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
