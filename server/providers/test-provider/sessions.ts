import type { StatementPool } from '#domain/database/statement.ts'
import type { Clock } from '#domain/ports.ts'
import * as rows from '#domain/simulated-session/simulated-sessions.ts'
import { testPath } from '#domain/tenant/test-tenant.policy.ts'
import type { Session } from './session.ts'
import { type Action, type Change, endIfOld, hashToken } from './session-actions.ts'

/** The sessions in the service's database, which all processes share. */
export interface Sessions {
  pool: StatementPool
  /** What the address of a hosted page begins with; its token follows. */
  pagesUrl: string
  now: Clock
}

/** The path of the hosted pages; a proxy in front can have a longer one. */
export const pagesPath = `${testPath}/sessions`

export function openSessions(pool: StatementPool, baseUrl: string, now: Clock): Sessions {
  return { pool, pagesUrl: baseUrl + pagesPath, now }
}

export async function insertSession({ pool }: Sessions, session: Session): Promise<void> {
  await rows.insertSession(pool, toRow(session))
}

/** The session as it is now: after its lifetime it is ended, which is not reported. */
export async function findSession({ pool, now }: Sessions, id: string): Promise<Session | undefined> {
  const [row] = await rows.findSessionById(pool, { id })
  return row && endIfOld(toSession(row), now())
}

/** The same, by the token of its page. */
export async function findSessionByToken(
  { pool, now }: Sessions,
  token: string,
): Promise<Session | undefined> {
  const row = await rows.findSessionByToken(pool, hashToken(token))
  return row && endIfOld(toSession(row), now())
}

/**
 * Applies an action to the session, and stores the change. Returns the session with what is to be reported, if the action
 * changed it; undefined if there is no such session.
 */
export async function changeSession(
  sessions: Sessions,
  id: string,
  action: Action,
): Promise<Change | undefined> {
  for (;;) {
    const session = await findSession(sessions, id)
    const changed = session && action(session, sessions.now())
    if (!changed) return session && { session }
    const next = { ...changed, session: { ...changed.session, revision: session.revision + 1 } }
    const { revision, content } = toRow(next.session)
    const replaced = await rows.replaceSession(sessions.pool, { id, revision, content })
    // Otherwise somebody else has changed it meanwhile.
    if (replaced.length === 1) return next
  }
}

type Row = Parameters<typeof rows.insertSession>[1]

function toRow({ id, verificationId, tokenHash, createdAt, revision, ...content }: Session): Row {
  return { id, verificationId, tokenHash, createdAt: new Date(createdAt), revision, content }
}

function toSession({ content, createdAt, ...columns }: Row): Session {
  return { ...content, ...columns, createdAt: createdAt.toISOString() } as Session
}
