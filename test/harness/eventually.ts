import { setTimeout as wait } from 'node:timers/promises'
import { scaledTimeout } from './scaled-timeout.ts'

export interface EventuallyOptions<Value> {
  /** Which value ends the waiting. By default any but `false`. */
  until?: (value: Value) => boolean
  /** On an idle machine; a busy one has more. */
  timeoutMs?: number
}

/**
 * Repeats the check until it returns a value that meets `until`, and returns that value: for what happens in another
 * process or on another connection. Throws an `Error` with the last value, or the check's own error, at the timeout.
 */
export async function eventually<Value>(
  check: () => Value | Promise<Value>,
  { until = value => value !== false, timeoutMs = 15_000 }: EventuallyOptions<Value> = {},
): Promise<Value> {
  const limitMs = scaledTimeout(timeoutMs)
  const deadline = performance.now() + limitMs
  for (let pauseMs = 2; ; pauseMs = Math.min(pauseMs * 1.5, 50)) {
    const outcome = await attempt(check)
    if ('value' in outcome && until(outcome.value)) return outcome.value
    if (performance.now() > deadline) throw timeoutError(outcome, limitMs)
    await wait(pauseMs)
  }
}

type Outcome<Value> = { value: Value } | { error: unknown }

async function attempt<Value>(check: () => Value | Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { value: await check() }
  } catch (error) {
    return { error }
  }
}

function timeoutError(outcome: Outcome<unknown>, timeoutMs: number): unknown {
  if ('error' in outcome) return outcome.error
  return new Error(`Still ${JSON.stringify(outcome.value)} after ${timeoutMs} ms`)
}
