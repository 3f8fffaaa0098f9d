import type { Session } from './session.ts'

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
