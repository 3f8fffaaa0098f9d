import { setTimeout as wait } from 'node:timers/promises'
import { patienceMs } from './service-process.ts'

/** Asks again until the answer is as it should be: for what happens in other processes and tells nobody. */
export async function eventually<Value>(
  ask: () => Promise<Value>,
  isRight: (value: Value) => boolean,
): Promise<Value> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const value = await ask()
    if (isRight(value)) return value
    if (performance.now() > deadline) {
      throw new Error(`Still ${JSON.stringify(value)} after ${patienceMs / 1000} s`)
    }
    await wait(50)
  }
}
