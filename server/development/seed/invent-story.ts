import { randomUUID } from 'node:crypto'
import type { ProviderOutcome } from '#domain/verification/provider-result.ts'
import type { VerificationTrigger } from '#domain/verification/verification.policy.ts'
import { between, pick, type Random, weighted } from './random.ts'

/** Something that is reported of a verification. */
export interface Chapter {
  /** Milliseconds since the epoch. */
  atMs: number
  report: VerificationTrigger
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const weekMs = 7 * 24 * hourMs

/** Of 1,000 verifications. */
const plots = {
  adult: 690,
  minor: 45,
  ageUnknown: 25,
  declined: 70,
  repeatedThenAdult: 55,
  repeatedThenDeclined: 10,
  repeatNeverDone: 12,
  reviewedThenAdult: 25,
  reviewNeverDone: 4,
  declinedAfterApproval: 4,
  abandoned: 30,
  neverOpened: 30,
}

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

/** What the provider and the tenant report of one verification, in the order of time; some of it in the future. */
export function inventStory(createdMs: number, random: Random): Chapter[] {
  const plot = weighted(random, plots)
  const story = new Story(createdMs, random)
  if (plot === 'neverOpened') return story.later(weekMs).told('expired').chapters
  story.later(between(random, 3_000, 4 * minuteMs)).told('started')
  if (plot === 'abandoned') return story.later(weekMs).told('abandoned').chapters
  story.submitted()
  if (plot.startsWith('repeat')) story.later(between(random, 5, 9) * minuteMs).told('resubmission_requested')
  if (plot === 'repeatNeverDone') return story.chapters
  if (plot.startsWith('repeated')) story.attemptedAgain()
  if (plot.startsWith('review')) story.later(between(random, 4_000, 60_000)).told('review')
  if (plot === 'reviewNeverDone') return story.chapters
  if (plot === 'reviewedThenAdult') story.later(between(random, 0.5, 20) * hourMs)
  story.later(between(random, 2_000, 45_000))
  if (plot === 'declined' || plot === 'repeatedThenDeclined') return story.told('declined').chapters
  story.told('approved', plot === 'minor' ? false : plot === 'ageUnknown' ? null : true)
  if (plot === 'declinedAfterApproval') story.later(between(random, 1, 72) * hourMs).told('declined')
  return story.chapters
}

class Story {
  readonly chapters: Chapter[] = []
  #nowMs: number
  readonly #random: Random
  #attemptId = randomUUID() as string

  constructor(createdMs: number, random: Random) {
    this.#nowMs = createdMs
    this.#random = random
  }

  later(ms: number): this {
    this.#nowMs += Math.floor(ms)
    return this
  }

  /** The user is through; now and then the tenant says so before the provider does. */
  submitted(): this {
    this.later(between(this.#random, 25_000, 6 * minuteMs))
    if (this.#random() < 0.3) {
      this.chapters.push({ atMs: this.#nowMs, report: { by: 'tenant', outcome: 'returned' } })
      this.later(between(this.#random, 200, 2_000))
    }
    return this.told('submitted')
  }

  attemptedAgain(): this {
    this.#attemptId = randomUUID()
    return this.later(between(this.#random, 1, 90) * minuteMs)
      .told('started')
      .submitted()
  }

  told(outcome: ProviderOutcome, over18: boolean | null = null): this {
    const isEvent = outcome === 'started' || outcome === 'submitted'
    const result = {
      ...{ providerSessionId: '', vendorData: null, attemptId: this.#attemptId, outcome, over18 },
      code: codes[outcome],
      reasonCode: this.#reasonCode(outcome),
      score: this.#score(outcome),
      decidedAt: isEvent ? null : new Date(this.#nowMs - 1_500),
    }
    this.chapters.push({ atMs: this.#nowMs, report: { by: 'provider', result } })
    return this
  }

  #reasonCode(outcome: ProviderOutcome): string | null {
    if (outcome === 'declined') return pick(this.#random, ['102', '105', '106', '502', '503'])
    return outcome === 'resubmission_requested' ? pick(this.#random, ['201', '204', '205', '207']) : null
  }

  #score(outcome: ProviderOutcome): number | null {
    if (outcome === 'approved') return Number((1 - 0.15 * this.#random() ** 3).toFixed(3))
    return outcome === 'declined' ? Number((0.3 * this.#random()).toFixed(3)) : null
  }
}
