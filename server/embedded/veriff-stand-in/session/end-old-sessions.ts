import type { StandIn } from '../stand-in.ts'
import { decideSession } from './decide-session.ts'
import { isFinal } from './session.ts'

const lifetimeDays = 7

/** A session without a final decision ends 7 days after its creation: expired if it was never opened, else abandoned. */
export async function endOldSessions(standIn: StandIn): Promise<void> {
  const oldest = new Date(standIn.now().getTime() - lifetimeDays * 86_400_000).toISOString()
  for (const session of standIn.store.sessions.values()) {
    if (session.createdAt > oldest || isFinal(session)) continue
    await decideSession(standIn, session, { outcome: session.attempts.length === 0 ? 'expire' : 'abandon' })
  }
}
