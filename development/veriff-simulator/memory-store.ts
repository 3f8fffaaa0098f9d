import type { Session } from '#server/test-provider/session.ts'
import type { SessionStore } from '#server/test-provider/sessions.ts'

export interface MemoryStore extends SessionStore {
  /** The oldest first. */
  sessions(): Session[]
  /** By the provider's id, or by the integrator's vendorData: then the newest one. */
  find(idOrVendorData: string): Session | undefined
}

export function createMemoryStore(): MemoryStore {
  const stored = new Map<string, Session>()
  const sessions = () => [...stored.values()]
  return {
    sessions,
    find: id => stored.get(id) ?? sessions().findLast(({ vendorData }) => vendorData === id),
    insert: async session => void stored.set(session.id, session),
    byId: async id => stored.get(id),
    byTokenHash: async tokenHash => sessions().find(session => session.tokenHash === tokenHash),
    async replace(session) {
      if (stored.get(session.id)?.revision !== session.revision - 1) return false
      stored.set(session.id, session)
      return true
    },
    delete: async id => void stored.delete(id),
  }
}
