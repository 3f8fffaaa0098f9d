import type { Session } from './session.ts'
import { type Action, endIfOld } from './session-actions.ts'
import type { SessionStore } from './session-store.ts'
import type { Credentials } from './signature.ts'
import type { Webhook } from './webhook-body.ts'

/** What the provider's API and the hosted page share. */
export interface Simulator extends Credentials {
  /** What the address of a hosted page begins with; its token follows. */
  pagesUrl: string
  now: () => Date
  store: SessionStore
  /** Sends a webhook to the service. Whether it arrives changes nothing: a lost decision can be polled. */
  deliver(webhook: Webhook): Promise<unknown>
}

/** The session as it is now: after its lifetime it is ended, without a webhook. */
export async function findSession(simulator: Simulator, id: string): Promise<Session | undefined> {
  const session = await simulator.store.byId(id)
  return session && endIfOld(session, simulator.now())
}

/**
 * Applies an action to the session, and stores the change. Returns the session with the webhook to send, if the action
 * changed it; undefined if there is no such session.
 */
export async function changeSession(
  simulator: Simulator,
  id: string,
  action: Action,
): Promise<{ session: Session; webhook?: Webhook } | undefined> {
  for (;;) {
    const stored = await simulator.store.byId(id)
    const session = stored && endIfOld(stored, simulator.now())
    const changed = session && action(session, simulator.now())
    if (!changed) return session && { session }
    const next = { ...changed, session: { ...changed.session, revision: stored.revision + 1 } }
    // Otherwise somebody else has changed it meanwhile.
    if (await simulator.store.replace(next.session)) return next
  }
}

/** The same, and the webhook is sent. */
export async function act(simulator: Simulator, id: string, action: Action): Promise<Session | undefined> {
  const changed = await changeSession(simulator, id, action)
  if (changed?.webhook) await simulator.deliver(changed.webhook)
  return changed?.session
}
