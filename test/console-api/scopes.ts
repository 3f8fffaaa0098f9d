import type { Database } from '#domain/database/open-database.ts'
import type { Cipher } from '#domain/ports.ts'
import type { Actor, Scope } from '#domain/scope.ts'
import { createKeyRing } from '#domain/signing-key/key-ring.ts'
import { createVerifiedTokens } from '#domain/token/verified-tokens.ts'
import { createAddressPolicy } from '#domain/webhook/public-address.policy.ts'

const dayMs = 24 * 60 * 60 * 1000

export interface Scopes {
  /** The current time; tests may set it. */
  time: { now: Date }
  createScope<By extends Actor>(actor: By, now?: Date): Scope<By>
  /** Ids of the tenants whose cached keys were invalidated. */
  invalidated: string[]
}

/** Scopes on a real database. The console uses no other dependency. */
export function createScopes(database: Database, time: { now: Date }, memberIssuer: string): Scopes {
  const { orm, pool } = database
  const invalidated: string[] = []
  const keyRing = createKeyRing(pool, cipher)
  const verifiedTokens = createVerifiedTokens()
  const rules = {
    baseUrl: 'https://age.example.com',
    tokenLifetimeMs: 30 * dayMs,
    sessionLifetimeMs: 8 * dayMs,
    requestDataRetentionMs: 30 * dayMs,
    retryDelaysMs: [60_000, 600_000] as [number, number],
    memberIssuer,
    addresses: createAddressPolicy(),
  }
  const parts = {
    clock: () => time.now,
    pool,
    rules,
    cipher,
    keyRing,
    verifiedTokens,
    provider: { createSession: unavailable, fetchDecision: unavailable },
    keyCache: {
      invalidateTenant: async (tenantId: string) => void invalidated.push(tenantId),
      invalidateAll: unavailable,
    },
    notifier: { notify: () => undefined },
    log: { info: () => undefined, warn: () => undefined },
  }
  const createScope: Scopes['createScope'] = (actor, now = time.now) => ({
    ...parts,
    actor,
    now,
    em: orm.em.fork(),
  })
  return { time, createScope, invalidated }
}

/** Bound to the purpose like the real cipher, but without encryption. */
const cipher: Cipher = {
  seal: (plaintext, purpose) => Buffer.from(`${purpose}\n${plaintext}`),
  open: (sealed, purpose) => {
    const [boundTo, ...rest] = sealed.toString().split('\n')
    if (boundTo !== purpose) throw new Error('Sealed for another purpose.')
    return rest.join('\n')
  },
}

function unavailable(): Promise<never> {
  return Promise.reject(new Error('Not available to the console.'))
}
