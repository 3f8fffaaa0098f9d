import type { Simulator } from '../simulator.ts'
import { decideSession } from './decide-session.ts'
import { isFinal } from './session.ts'

const lifetimeDays = 7

/** A session without a final decision ends 7 days after its creation: expired if it was never opened, else abandoned. */
export async function endOldSessions(simulator: Simulator): Promise<void> {
  const oldest = new Date(simulator.now().getTime() - lifetimeDays * 86_400_000).toISOString()
  for (const session of simulator.store.sessions.values()) {
    if (session.createdAt > oldest || isFinal(session)) continue
    await decideSession(simulator, session, { outcome: session.attempts.length === 0 ? 'expire' : 'abandon' })
  }
}
