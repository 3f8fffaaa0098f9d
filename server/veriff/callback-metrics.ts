import { Counter, type Registry } from 'prom-client'
import { type CallbackResult, callbackResults } from '#rest/verify/callback-result.ts'

/** Returns the function that counts what became of a callback of the identity provider. */
export function createCallbackMetrics(registry: Registry): (result: CallbackResult) => void {
  const callbacks = new Counter({
    name: 'age_verification_callbacks_total',
    help: "The identity provider's callbacks that this process got, by result",
    labelNames: ['result'],
    registers: [registry],
  })
  for (const result of callbackResults) callbacks.inc({ result }, 0)
  return result => callbacks.inc({ result })
}
