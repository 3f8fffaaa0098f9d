import mocha from 'mocha'
import { scaledTimeout } from '../scaled-timeout.ts'

const runnable = mocha.Runnable.prototype as unknown as { timeout(...set: [milliseconds?: number]): number }
const { timeout } = runnable

/** What a test, a hook or the suite sets is for an idle machine; mocha reads it whenever it starts a timer. */
runnable.timeout = function scaled(...set) {
  const result = timeout.apply(this, set)
  return set.length > 0 ? result : scaledTimeout(result)
}
