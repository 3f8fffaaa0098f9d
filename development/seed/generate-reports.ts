import { randomUUID } from 'node:crypto'
import type { ProviderOutcome } from '#domain/provider-result.ts'
import type { VerificationTrigger } from '#domain/verification/verification.policy.ts'
import { between, type Random, weighted } from './random.ts'

/** A report about a verification, and when it arrives. */
export interface TimedReport {
  /** Milliseconds since the epoch. */
  atMs: number
  report: VerificationTrigger
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const weekMs = 7 * 24 * hourMs

/** How many of 1,000 verifications follow each scenario. */
const scenarioWeights = {
  adult: 690,
  minor: 45,
  ageUnknown: 25,
  declined: 70,
  resubmittedThenAdult: 55,
  resubmittedThenDeclined: 10,
  resubmissionAbandoned: 12,
  reviewedThenAdult: 25,
  reviewPending: 4,
  declinedAfterApproval: 4,
  abandoned: 30,
  neverOpened: 30,
}

/** How many of 100 declined verifications have each reason. */
const declineReasons = { 101: 11, 102: 22, 103: 24, 105: 7, 106: 4, 108: 6, 112: 5, 533: 18, 113: 3 }

/** How many of 100 requests for a resubmission have each reason. */
const resubmissionReasons = { 201: 18, 204: 46, 205: 5, 206: 12, 207: 19 }

const codes: Record<ProviderOutcome, number> = {
  started: 7001,
  submitted: 7002,
  review: 9121,
  approved: 9001,
  declined: 9102,
  resubmission_requested: 9103,
  expired: 9104,
  abandoned: 9104,
}

/** The provider's and the tenant's reports about one verification, in order of time. Some may be in the future. */
export function generateReports(createdMs: number, random: Random): TimedReport[] {
  const scenario = weighted(random, scenarioWeights)
  const reporter = new Reporter(createdMs, random)
  if (scenario === 'neverOpened') return reporter.wait(weekMs).provider('expired').reports
  reporter.wait(between(random, 3_000, 4 * minuteMs)).provider('started')
  if (scenario === 'abandoned') return reporter.wait(weekMs).provider('abandoned').reports
  reporter.submitted()
  if (scenario.startsWith('resub')) {
    reporter.wait(between(random, 5, 9) * minuteMs).provider('resubmission_requested')
  }
  if (scenario === 'resubmissionAbandoned') return reporter.reports
  if (scenario.startsWith('resubmitted')) reporter.resubmitted()
  if (scenario.startsWith('review')) reporter.wait(between(random, 4_000, 60_000)).provider('review')
  if (scenario === 'reviewPending') return reporter.reports
  if (scenario === 'reviewedThenAdult') reporter.wait(between(random, 0.5, 20) * hourMs)
  reporter.wait(between(random, 2_000, 45_000))
  if (scenario === 'declined' || scenario === 'resubmittedThenDeclined') {
    return reporter.provider('declined').reports
  }
  reporter.provider('approved', scenario === 'minor' ? false : scenario === 'ageUnknown' ? null : true)
  if (scenario === 'declinedAfterApproval') {
    reporter.wait(between(random, 1, 72) * hourMs).provider('declined')
  }
  return reporter.reports
}

class Reporter {
  readonly reports: TimedReport[] = []
  #nowMs: number
  readonly #random: Random
  #attemptId = randomUUID() as string

  constructor(createdMs: number, random: Random) {
    this.#nowMs = createdMs
    this.#random = random
  }

  wait(ms: number): this {
    this.#nowMs += Math.floor(ms)
    return this
  }

  /** The user submits. In 30 % of the cases the tenant reports it before the provider does. */
  submitted(): this {
    this.wait(between(this.#random, 25_000, 6 * minuteMs))
    if (this.#random() < 0.3) {
      this.reports.push({ atMs: this.#nowMs, report: { by: 'tenant', outcome: 'returned' } })
      this.wait(between(this.#random, 200, 2_000))
    }
    return this.provider('submitted')
  }

  /** The user completes a second attempt. */
  resubmitted(): this {
    this.#attemptId = randomUUID()
    return this.wait(between(this.#random, 1, 90) * minuteMs)
      .provider('started')
      .submitted()
  }

  provider(outcome: ProviderOutcome, over18: boolean | null = null): this {
    const isEvent = outcome === 'started' || outcome === 'submitted'
    const result = {
      providerSessionId: '',
      vendorData: null,
      // Nobody has opened a session that expires.
      attemptId: outcome === 'expired' ? null : this.#attemptId,
      outcome,
      over18,
      code: codes[outcome],
      reasonCode: this.#reasonCode(outcome),
      score: this.#score(outcome),
      decidedAt: isEvent ? null : new Date(this.#nowMs - 1_500),
    }
    this.reports.push({ atMs: this.#nowMs, report: { by: 'provider', result } })
    return this
  }

  #reasonCode(outcome: ProviderOutcome): string | null {
    if (outcome === 'declined') return reasonAmong(this.#random, declineReasons)
    return outcome === 'resubmission_requested' ? reasonAmong(this.#random, resubmissionReasons) : null
  }

  #score(outcome: ProviderOutcome): number | null {
    if (outcome === 'approved') return Number((1 - 0.15 * this.#random() ** 3).toFixed(3))
    return outcome === 'declined' ? Number((0.3 * this.#random()).toFixed(3)) : null
  }
}

function reasonAmong(random: Random, weights: Readonly<Record<number, number>>): string {
  return weighted(random, weights as Readonly<Record<string, number>>)
}
