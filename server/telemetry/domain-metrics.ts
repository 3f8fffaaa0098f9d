import { Counter, type Registry } from 'prom-client'
import type { DomainMetrics } from '#domain/ports.ts'
import { providerNames } from '#domain/provider-result.ts'
import { completedStatuses } from '#domain/verification/verification.policy.ts'
import { type GivenUpReason, givenUpReasons } from '#domain/webhook/log-given-up.ts'
import { type CallbackResult, callbackResults } from '#rest/verify/callback-result.ts'

export function createDomainMetrics(registry: Registry): DomainMetrics {
  const registers = [registry]
  const started = new Counter({
    name: 'age_verification_verifications_started_total',
    help: 'Verifications started by this process',
    registers,
  })
  const completed = new Counter({
    name: 'age_verification_verifications_completed_total',
    help: 'Verifications completed by this process, by final status',
    labelNames: ['status'],
    registers,
  })
  const approvals = new Counter({
    name: 'age_verification_approvals_total',
    help: 'Approvals recorded by this process, by what the evidence of the provider says of the age',
    labelNames: ['provider', 'tenants', 'age'],
    registers,
  })
  const wrongTimes = new Counter({
    name: 'age_verification_wrong_decision_times_total',
    help: "Decisions whose time, by the provider's clock, is before the verification or in the future",
    registers,
  })
  for (const provider of providerNames) {
    for (const tenants of ['live', 'test']) {
      for (const age of ['adult', 'minor', 'unknown', 'contradictory'])
        approvals.inc({ provider, tenants, age }, 0)
    }
  }
  for (const status of completedStatuses) completed.inc({ status }, 0)
  return {
    verificationStarted: () => started.inc(),
    verificationCompleted: status => completed.inc({ status }),
    ageChecked({ provider, test, over18, basis }) {
      const unknown = basis === 'contradiction' ? 'contradictory' : 'unknown'
      const age = over18 === null ? unknown : over18 ? 'adult' : 'minor'
      approvals.inc({ provider, tenants: test ? 'test' : 'live', age })
    },
    decisionTimeWrong: () => wrongTimes.inc(),
    // Only workers have this counter.
    deliveriesExpired: count => countGivenUp(registry)('expired', count),
  }
}

const givenUpName = 'age_verification_webhook_deliveries_given_up_total'

/** Returns the function that counts deliveries that were given up. All those of a registry share one counter. */
export function countGivenUp(registry: Registry): (reason: GivenUpReason, count?: number) => void {
  const existing = registry.getSingleMetric(givenUpName) as Counter<'reason'> | undefined
  const counter = existing ?? createGivenUpCounter(registry)
  return (reason, count = 1) => counter.inc({ reason }, count)
}

function createGivenUpCounter(registry: Registry): Counter<'reason'> {
  const counter = new Counter({
    name: givenUpName,
    help: 'Webhook deliveries that this process gave up, by reason',
    labelNames: ['reason'],
    registers: [registry],
  })
  for (const reason of givenUpReasons) counter.inc({ reason }, 0)
  return counter
}

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
