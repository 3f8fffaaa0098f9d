/** How many requests a process serves at the same time. */
export interface ConcurrencyLimit {
  /** Infinity unless the process is overloaded. */
  requests: number
  /** For how many steps nothing was rejected. */
  quietSteps: number
}

/** What happened in a step. */
export interface StepMeasures {
  /** Queueing delay as a multiple of what is acceptable: 1 is the most that the service should have. */
  pressure: number
  /** Requests that are being served at its end. */
  inFlight: number
  rejected: number
}

export const unlimited: ConcurrencyLimit = { requests: Number.POSITIVE_INFINITY, quietSteps: 0 }

/** That many requests are served at the same time whatever the delay, which other programs on the machine can cause. */
export const limitMin = 40
/** An overload begins with so many at most: what was admitted before it was noticed has to be served first. */
const limitAtStart = 60

/** The additive increase and the multiplicative decrease per step. */
const increase = 2
const decrease = 0.9
/** After so many steps without a rejection, the overload is over. */
const quietStepsMax = 20

/**
 * Decides the limit of the next step as TCP decides its congestion window (RFC 5681): it shrinks by a share while the
 * delay is too long, and grows slowly while the limit rejects requests that could be served.
 */
export function nextConcurrencyLimit(limit: ConcurrencyLimit, measures: StepMeasures): ConcurrencyLimit {
  const { pressure, inFlight, rejected } = measures
  if (limit.requests === unlimited.requests) {
    const isOverloaded = rejected > 0 || (pressure > 1 && inFlight > limitMin)
    return isOverloaded ? { requests: clamp(inFlight), quietSteps: 0 } : unlimited
  }
  const quietSteps = rejected > 0 ? 0 : limit.quietSteps + 1
  if (quietSteps > quietStepsMax) return unlimited
  if (pressure > 1) return { requests: Math.max(limitMin, limit.requests * decrease), quietSteps }
  return { requests: limit.requests + (rejected > 0 ? increase : 0), quietSteps }
}

function clamp(inFlight: number): number {
  return Math.min(Math.max(limitMin, inFlight), limitAtStart)
}
