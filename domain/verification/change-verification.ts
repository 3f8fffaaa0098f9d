import { DomainError } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Scope } from '../scope.ts'
import { type SignedToken, signAgeToken } from '../token/sign-age-token.ts'
import { completedEvent } from '../webhook/completed-event.ts'
import { type LoadedVerification, loadVerification } from './load-verification.ts'
import { effectOf, type Report, type VerificationState } from './verification.policy.ts'
import { writeContradiction, writeMove } from './write-change.ts'

/** More writers than ever meet on one verification; each round means that another one got ahead. */
const roundsMax = 50

export interface Changed {
  verification: LoadedVerification
  effect: 'none' | 'moved' | 'contradicted'
}

/**
 * Applies a report: reads, decides by the policy, and writes in one statement over the revision that was read;
 * if another report got ahead, decides again. `admits` looks at what was read first, and may refuse.
 * Answers undefined for an unknown verification or one that is not admitted.
 */
export async function changeVerification(
  scope: Scope,
  verificationId: string,
  report: Report,
  admits: (verification: LoadedVerification) => boolean = () => true,
): Promise<Changed | undefined> {
  for (let round = 0; round < roundsMax; round++) {
    const verification = await loadVerification(scope, verificationId)
    if (!verification || !admits(verification)) return undefined
    const effect = effectOf(report, verification, scope.now)
    if (effect.kind === 'none') return { verification, effect: 'none' }
    if (effect.kind === 'contradicted') {
      const recorded = await writeContradiction(scope, verification, report, effect)
      if (recorded) return { verification, effect: 'contradicted' }
    } else {
      const changed = await move(scope, verification, report, effect.state)
      if (changed) return { verification: changed, effect: 'moved' }
    }
  }
  throw new DomainError('DATABASE_ERROR', { cause: `verification ${verificationId} kept changing` })
}

async function move(
  scope: Scope,
  verification: LoadedVerification,
  report: Report,
  state: VerificationState,
): Promise<LoadedVerification | undefined> {
  const { id: verificationId, tenantId, kid } = verification
  let token: SignedToken | undefined
  if (state.completedAt && state.status === 'approved') {
    token = await signAgeToken(scope, { verificationId, tenantId, over18: state.over18 === true, kid })
  }
  const event = state.completedAt
    ? {
        id: newId(scope.now),
        body: completedEvent({ verificationId, tenantId, ...state }, state.completedAt),
      }
    : undefined
  const written = await writeMove(scope, { verification, report, state, token, event })
  if (!written) return undefined
  if (event) scope.notifier.notify('deliveries')
  return { ...verification, ...state, revision: verification.revision + 1, token: token?.jwt ?? null }
}
