import type { Session } from '#server/providers/test-provider/session.ts'
import {
  type Action,
  type Change,
  endIfOld,
  newSession,
} from '#server/providers/test-provider/session-actions.ts'

/** A session as an integration starts it. */
export interface VeriffSession extends Session {
  vendorData: string | null
}

export type MemorySessions = ReturnType<typeof createMemorySessions>

/** The sessions in memory, as they are now: after its lifetime one is ended, without a webhook. */
export function createMemorySessions() {
  const stored = new Map<string, VeriffSession>()
  const asOfNow = (session: VeriffSession) => ({ ...session, ...endIfOld(session, new Date()) })
  return {
    /** The oldest first. */
    all: () => [...stored.values()].map(asOfNow),
    /** By the provider's id, or by the integrator's vendorData: then the newest one. */
    find(idOrVendorData: string): VeriffSession | undefined {
      const isNamed = ({ vendorData }: VeriffSession) => vendorData === idOrVendorData
      const session = stored.get(idOrVendorData) ?? [...stored.values()].findLast(isNamed)
      return session && asOfNow(session)
    },
    create({ vendorData, callback }: Pick<VeriffSession, 'vendorData' | 'callback'>) {
      const { session, token } = newSession({ verificationId: vendorData ?? '', callback }, new Date())
      stored.set(session.id, { ...session, vendorData })
      return { id: session.id, token }
    },
    /** Applies an action, and returns the session with what is to be sent, if the action changed it. */
    change(session: VeriffSession, action: Action): Change & { session: VeriffSession } {
      const changed = action(session, new Date())
      if (!changed) return { session }
      const next = { ...session, ...changed.session }
      stored.set(session.id, next)
      return { ...changed, session: next }
    },
    delete: (id: string) => stored.delete(id),
  }
}
