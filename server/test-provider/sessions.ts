import type { Session } from './session.ts'
import { type Action, type Change, endIfOld } from './session-actions.ts'

/** The sessions, as the test provider and its hosted pages see them. */
export interface Sessions {
  /** What the address of a hosted page begins with; its token follows. */
  pagesUrl: string
  now: () => Date
  store: SessionStore
}

/** Where sessions are: the database of the service, or the memory of a test. */
export interface SessionStore {
  insert(session: Session): Promise<void>
  byId(id: string): Promise<Session | undefined>
  /** By the SHA-256 of the page's token, hex. */
  byTokenHash(tokenHash: string): Promise<Session | undefined>
  /** Stores a change over the revision that it was decided on. False if the session has changed since, or is deleted. */
  replace(session: Session): Promise<boolean>
  delete(id: string): Promise<void>
}

/** The session as it is now: after its lifetime it is ended, which is not reported. */
export async function findSession({ store, now }: Sessions, id: string): Promise<Session | undefined> {
  const session = await store.byId(id)
  return session && endIfOld(session, now())
}

/**
 * Applies an action to the session, and stores the change. Returns the session with what is to be reported, if the action
 * changed it; undefined if there is no such session.
 */
export async function changeSession(
  { store, now }: Sessions,
  id: string,
  action: Action,
): Promise<Change | undefined> {
  for (;;) {
    const stored = await store.byId(id)
    const session = stored && endIfOld(stored, now())
    const changed = session && action(session, now())
    if (!changed) return session && { session }
    const next = { ...changed, session: { ...changed.session, revision: stored.revision + 1 } }
    // Otherwise somebody else has changed it meanwhile.
    if (await store.replace(next.session)) return next
  }
}
