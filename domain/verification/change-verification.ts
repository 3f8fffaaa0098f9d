import { DomainError } from '../errors.ts'
import { timeOfId } from '../ids.ts'
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
    scope.log.describe?.(idsOf(verification))
    const effect = decideEffect(trigger, verification, scope.now)
    if (effect.kind === 'none') return { verification, effect }
    if (effect.kind === 'contradicted') {
      const recorded = await writeContradiction(scope, verification, trigger, effect)
      if (recorded) return { verification, effect }
    } else {
      const changed = await move(scope, verification, trigger, effect.state)
      if (changed) {
        logTransition(scope, verification, trigger, effect.state)
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
  const { verificationId, tenantId, kid } = verification
  let token: SignedToken | undefined
  if (state.completedAt && state.status === 'approved') {
    token = await signAgeToken(scope, { verificationId, tenantId, over18: state.over18, kid })
  }
  const changed = { ...verification, ...state, revision: verification.revision + 1 }
  const written = await writeTransition(scope, { verification, trigger, state, token })
  if (!written) return undefined
  if (state.completedAt || state.status !== verification.status) scope.statusChanges.publish(verificationId)
  if (state.completedAt) {
    scope.notifier.notify('deliveries')
    const durationMs = state.completedAt.getTime() - timeOfId(verificationId).getTime()
    scope.metrics.verificationCompleted(state.status, durationMs)
  }
  return changed
}

export function idsOf({ tenantId, verificationId }: LoadedVerification) {
  return { tenantId, verificationId }
}

/** One line per change of a status: from which one to which, who caused it, and why. */
function logTransition(
  scope: Scope,
  verification: LoadedVerification,
  trigger: VerificationTrigger,
  { status, completedAt }: VerificationState,
): void {
  const { status: from, providerSessionId } = verification
  const fields = {
    ...idsOf(verification),
    providerSessionId,
    from,
    status,
    completed: completedAt !== null,
    source: trigger.by,
    ...reportFields(trigger),
  }
  scope.log.info(fields, 'Verification status changed')
}

/** What a trigger reports, for the log. */
export function reportFields(trigger: VerificationTrigger) {
  if (trigger.by !== 'provider') return { outcome: trigger.outcome }
  const { outcome, code, reasonCode } = trigger.result
  return { outcome, code, reasonCode }
}
