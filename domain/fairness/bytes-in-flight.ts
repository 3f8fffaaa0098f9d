import { DomainError } from '#domain/errors.ts'

/** Memory is free again within seconds: a body has a deadline. */
const retryAfterSeconds = 5

/** Of each body, not counted: whoever fills what is counted, a genuine body, of less than 10 KiB, is not rejected. */
export const uncountedBytes = 16 * 1024

/** To be called with the size of each part of a body that arrives. Throws `RATE_LIMIT_EXCEEDED` if it is one too many. */
export type CountBytes = (bytes: number) => void

/**
 * Bounds the bytes of bodies that are read or handled at the same time, beyond the first 16 KiB of each, which the number
 * of connections bounds. They count when they have arrived, so that a body that is withheld takes nothing. A limit rather
 * than an error of the service: it needs nobody's attention, and the sender can retry.
 */
export function createBytesInFlight(bytesMax: number) {
  let inFlight = 0
  return async <Result>(work: (count: CountBytes) => Promise<Result>): Promise<Result> => {
    let arrived = 0
    let counted = 0
    const count = (bytes: number) => {
      arrived += bytes
      const more = Math.max(0, arrived - uncountedBytes) - counted
      if (inFlight + more > bytesMax) {
        throw new DomainError('RATE_LIMIT_EXCEEDED', { details: { retryAfterSeconds } })
      }
      counted += more
      inFlight += more
    }
    try {
      return await work(count)
    } finally {
      inFlight -= counted
    }
  }
}
