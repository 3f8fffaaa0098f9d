import { DomainError } from '#domain/errors.ts'

/** Memory is free again within seconds: a body has a deadline. */
const retryAfterSeconds = 5

/**
 * Bounds the bytes of bodies that are read or handled at the same time. A limit rather than an error of the service:
 * it needs nobody's attention, and the sender can retry.
 */
export function createBytesInFlight(bytesMax: number) {
  let inFlight = 0
  /** Reserves the bytes while `work` runs. Throws `RATE_LIMIT_EXCEEDED` if too many are in flight. */
  return async <Result>(bytes: number, work: () => Promise<Result>): Promise<Result> => {
    if (inFlight + bytes > bytesMax) {
      throw new DomainError('RATE_LIMIT_EXCEEDED', { details: { retryAfterSeconds } })
    }
    inFlight += bytes
    try {
      return await work()
    } finally {
      inFlight -= bytes
    }
  }
}
