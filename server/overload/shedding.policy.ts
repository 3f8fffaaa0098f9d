/** The state of the controller: what share of requests is shed, and the pressure that it was decided on. */
export interface SheddingState {
  /** Between 0 and `probabilityMax`. */
  probability: number
  /** Queueing delay as a multiple of what is acceptable: 1 is the most that the service should have. */
  pressure: number
}

export const noShedding: SheddingState = { probability: 0, pressure: 0 }

/** Some requests are always admitted, so that the end of an overload is noticed by serving it. */
export const probabilityMax = 0.98

/** How strongly the probability follows the distance from the acceptable delay, and the change of the delay. */
const proportionalGain = 0.025
const derivativeGain = 0.125
/** A longer delay counts as this one, so that the share shrinks soon after one long pause. */
const pressureMax = 4
/** Below this pressure the overload is over: the probability shrinks by `decay` in each step. */
const relaxedPressure = 0.5
const decay = 0.92
const negligible = 0.01

/**
 * Decides the next step of a PIE controller (RFC 8033): the share of shed requests grows while the queueing delay is
 * above the acceptable one or is rising, and shrinks otherwise.
 */
export function nextSheddingState(state: SheddingState, measured: number): SheddingState {
  const pressure = Math.min(measured, pressureMax)
  const change = proportionalGain * (pressure - 1) + derivativeGain * (pressure - state.pressure)
  const damped = pressure < relaxedPressure ? state.probability * decay : state.probability
  const probability = Math.min(Math.max(damped + change, 0), probabilityMax)
  return { pressure, probability: probability < negligible ? 0 : probability }
}
