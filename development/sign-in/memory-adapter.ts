import { LRUCache } from 'lru-cache'
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'

/** Stores sessions and codes in memory: after a restart, users sign in again. */
export function memoryAdapter(): AdapterFactory {
  const entries = new LRUCache<string, AdapterPayload>({ max: 10_000 })
  return model => adapterFor(model, entries)
}

function adapterFor(model: string, entries: LRUCache<string, AdapterPayload>): Adapter {
  const keyOf = (id: string) => `${model}:${id}`
  const findBy = async (field: 'uid' | 'userCode', value: string) => {
    for (const [key, entry] of entries.entries())
      if (key.startsWith(keyOf('')) && entry[field] === value) return entry
    return undefined
  }
  return {
    async upsert(id, payload, expiresInSeconds) {
      entries.set(keyOf(id), payload, expiresInSeconds ? { ttl: expiresInSeconds * 1_000 } : {})
    },
    find: async id => entries.get(keyOf(id)),
    findByUid: async uid => await findBy('uid', uid),
    findByUserCode: async userCode => await findBy('userCode', userCode),
    async consume(id) {
      const entry = entries.get(keyOf(id))
      if (entry) entry.consumed = Math.floor(Date.now() / 1_000)
    },
    async destroy(id) {
      entries.delete(keyOf(id))
    },
    async revokeByGrantId(grantId) {
      for (const [key, entry] of [...entries.entries()]) if (entry.grantId === grantId) entries.delete(key)
    },
  }
}
