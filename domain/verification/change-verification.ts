import { DomainError } from '../errors.ts'
import type { Scope } from '../scope.ts'
import { type SignedToken, signAgeToken } from '../signing-key/sign-age-token.ts'
import { type LoadedVerification, loadVerification, type VerificationKey } from './load-verification.ts'
import {
  decideEffect,
  type Effect,
  type VerificationState,
  type VerificationTrigger,
} from './verification.policy.ts'
import { writeContradiction } from './write-contradiction.ts'
import { writeTransition } from './write-transition.ts'

/** Far more rounds than concurrent writers of one verification: each round lost means that another writer won. */
const roundsMax = 50

export interface VerificationOutcome {
  verification: LoadedVerification
  effect: Effect
}

/**
 * Applies a trigger: reads the verification, decides by the policy, and writes in one statement over the revision
 * that was read. If another trigger was applied meanwhile, it decides again. Returns undefined for an unknown
 * verification.
 */
export async function changeVerification(
  scope: Scope,
  key: VerificationKey,
  trigger: VerificationTrigger,
): Promise<VerificationOutcome | undefined> {
  for (let round = 0; round < roundsMax; round++) {
    const verification = await loadVerification(scope, key)
    if (!verification) return undefined
    const { tenantId, verificationId } = verification
    scope.request?.describe({ tenantId, verificationId })
    const effect = decideEffect(trigger, verification, scope.now)
    if (effect.kind === 'unchanged') return { verification, effect }
    if (effect.kind === 'contradicted') {
      const recorded = await writeContradiction(scope, verification, trigger, effect)
      if (recorded) {
        return { verification, effect }
      }
    } else {
      const changed = await move(scope, verification, trigger, effect.state)
      if (changed) {
        logChange(scope, verification, trigger, effect.state)
        return { verification: changed, effect }
      }
    }
  }
  const cause = `verification ${key.verificationId} was changed concurrently ${roundsMax} times`
  throw new DomainError('DATABASE_ERROR', { cause })
}

async function move(
  scope: Scope,
  verification: LoadedVerification,
  trigger: VerificationTrigger,
  state: VerificationState,
): Promise<LoadedVerification | undefined> {
  const { verificationId, tenantId, kid, test, retentionDays } = verification
  let token: SignedToken | undefined
  if (state.completedAt && state.status === 'approved') {
    const { over18, decidedAt } = state
    token = await signAgeToken(scope, {
      verificationId,
      tenantId,
      over18,
      decidedAt,
      kid,
      test,
      retentionDays,
    })
  }
  const changed = { ...verification, ...state, revision: verification.revision + 1 }
  const written = await writeTransition(scope, { verification, trigger, state, token })
  if (!written) return undefined
  if (state.completedAt) {
    scope.wakeWorker('deliveries')
    if (!test) scope.metrics.verificationCompleted(state.status)
    if (state.status === 'approved') {
      const basis = trigger.by === 'provider' ? trigger.result.ageBasis : 'none'
      scope.metrics.ageChecked({ provider: verification.provider, test, over18: state.over18, basis })
    }
  }
  return changed
}

/** One line per change: from which status to which, who caused it, and why. */
function logChange(
  scope: Scope,
  verification: LoadedVerification,
  trigger: VerificationTrigger,
  { status, completedAt }: VerificationState,
): void {
  const completed = completedAt !== null
  const change = { from: verification.status, status, completed, source: trigger.by }
  const message =
    status === verification.status ? 'A new attempt of a verification' : 'Verification status changed'
  scope.log.info({ ...toLogFields(verification, trigger), ...change }, message)
}

/** The verification, and what the trigger reports. */
export function toLogFields(verification: LoadedVerification, trigger: VerificationTrigger) {
  const { tenantId, verificationId, providerSessionId } = verification
  return { tenantId, verificationId, providerSessionId, ...toReportFields(trigger) }
}

export function toReportFields(trigger: VerificationTrigger) {
  if (trigger.by !== 'provider') return { outcome: trigger.outcome }
  const { outcome, code, reasonCode } = trigger.result
  return { outcome, code, reasonCode }
}
