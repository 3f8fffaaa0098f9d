import { randomBytes, randomUUID } from 'node:crypto'
import { DomainError } from '#domain/errors.ts'
import type { IdentityProvider, TestProvider } from '#domain/ports.ts'
import type { ProviderOutcome, ProviderResult } from '#domain/provider-result.ts'
import type { ApiKeyActorScope, OperatorScope, Scope } from '#domain/scope.ts'
import { startsTest } from '#domain/tenant/test-tenant.policy.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { startVerification } from '#domain/verification/start-verification.ts'
import { decisionCodes, eventCodes } from '#server/providers/test-provider/session.ts'

export interface HistoryOptions {
  tenantId: string
  /** Whether it is a test tenant. */
  test: boolean
  /** How many to start. */
  verifications: number
  /** Called with the number of verifications so far. */
  onProgress?: (count: number) => void
}

const submission = ['started', 'submitted'] as const

/** What the provider reports, for how many of a hundred verifications, and the age that it finds. */
const scenarios: [perHundred: number, over18: boolean | null, ...ProviderOutcome[]][] = [
  [68, true, ...submission, 'approved'],
  [5, false, ...submission, 'approved'],
  [3, null, ...submission, 'approved'],
  [8, null, ...submission, 'declined'],
  [5, true, ...submission, 'resubmission_requested', ...submission, 'approved'],
  [2, null, ...submission, 'resubmission_requested'],
  [1, true, ...submission, 'approved', 'declined'],
  [2, null, ...submission],
  [3, null, 'started', 'abandoned'],
  [3, null, 'expired'],
]
const scenarioOf = scenarios.flatMap(scenario => new Array<typeof scenario>(scenario[0]).fill(scenario))

const reasonCodes: Partial<Record<ProviderOutcome, string[]>> = {
  declined: ['101', '102', '102', '103', '106', '533'],
  resubmission_requested: ['201', '204', '204', '205'],
}

const dayMs = 86_400_000
/** Within the shortest retention: that of test tenants. */
const historyMs = 28 * dayMs
const concurrency = 10

/**
 * Starts and completes verifications of the last four weeks, as requests and callbacks at those times would: their tokens
 * are valid, and events are sent. Throws as `startVerification` does.
 */
export async function fillHistory(scope: OperatorScope, options: HistoryOptions): Promise<void> {
  const { verifications, onProgress = () => {} } = options
  const times = Array.from(
    { length: verifications },
    () => scope.now.getTime() - Math.random() * historyMs,
  ).sort()
  let count = 0
  const fill = async () => {
    for (let at = times.shift(); at !== undefined; at = times.shift()) {
      await addVerification(scope, options, at)
      count += 1
      onProgress(count)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, fill))
}

async function addVerification(scope: OperatorScope, { tenantId, test }: HistoryOptions, startedAt: number) {
  const providerSessionId = randomUUID()
  const provider = sessionless(providerSessionId)
  const scopeOf = <Actor extends Scope['actor']>(actor: Actor, ms: number): Scope<Actor> => {
    return { ...scope, actor, provider, testProvider: provider, em: scope.em.fork(), now: new Date(ms) }
  }
  const actor = { kind: 'api_key', tenantId, apiKeyId: randomUUID(), test } as const
  const starting: ApiKeyActorScope = scopeOf(actor, startedAt)
  const { verificationId } = await start(starting)
  const [, over18, ...outcomes] = scenarioOf[Math.floor(Math.random() * scenarioOf.length)]!
  let [ms, attempt] = [startedAt, randomUUID()]
  for (const outcome of outcomes) {
    ms += outcome === 'abandoned' || outcome === 'expired' ? 7 * dayMs : 1_000 * (5 + Math.random() * 120)
    if (ms > scope.now.getTime()) return
    const isEvent = outcome === 'started' || outcome === 'submitted'
    const reasons = reasonCodes[outcome] ?? [null]
    const result: ProviderResult = {
      providerSessionId,
      vendorData: verificationId,
      attemptId: outcome === 'expired' ? null : attempt,
      outcome,
      over18: outcome === 'approved' ? over18 : null,
      ageBasis: outcome === 'approved' && over18 !== null ? 'date' : 'none',
      code: isEvent ? eventCodes[outcome] : decisionCodes[outcome],
      reasonCode: reasons[Math.floor(Math.random() * reasons.length)]!,
      score: null,
      decidedAt: isEvent ? null : new Date(ms),
    }
    const isTest = startsTest(starting)
    await recordProviderResult(scopeOf({ kind: 'service' }, ms), result, { test: isTest })
    if (outcome === 'resubmission_requested') attempt = randomUUID()
  }
}

const startsMax = 5

/** A worker beside takes a start of the past for one that was interrupted, and may release it before it is confirmed. */
async function start(scope: ApiKeyActorScope) {
  for (let count = 1; ; count++) {
    try {
      return await startVerification(scope, {})
    } catch (error) {
      const wasReleased = error instanceof DomainError && error.code === 'INTERNAL_ERROR'
      if (!wasReleased || count === startsMax) throw error
    }
  }
}

/** A provider at which a start creates nothing: nobody can open the page, or is asked for a decision. */
function sessionless(providerSessionId: string): IdentityProvider & TestProvider {
  return {
    name: 'veriff',
    createSession: async () => ({
      providerSessionId,
      sessionUrl: `https://provider.invalid/${randomBytes(16).toString('hex')}`,
    }),
    fetchDecision: async () => undefined,
    deleteSession: async () => 'unknown',
    chooseOutcome: async () => undefined,
  }
}
