import type { CreateScope } from '#console-api/context.ts'
import type { Database } from '#domain/database/open-database.ts'
import type { Cipher } from '#domain/ports.ts'
import { createKeyRing } from '#domain/signing-key/key-ring.ts'
import { createVerifiedTokens } from '#domain/token/verified-tokens.ts'
import { createAddressPolicy } from '#domain/webhook/public-address.policy.ts'

const dayMs = 24 * 60 * 60 * 1000

export interface Scopes {
  /** The time of everything; a test may set it. */
  time: { now: Date }
  createScope: CreateScope
  /** Tenants of whose keys it was announced that they may do something else now. */
  forgotten: string[]
}

/** Scopes on a real database; what lies outside the product is not needed by the console. */
export function createScopes(database: Database, time: { now: Date }, memberIssuer: string): Scopes {
  const { orm, pool } = database
  const forgotten: string[] = []
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
  const createScope: CreateScope = actor => ({
    ...{ actor, now: time.now, clock: () => time.now, em: orm.em.fork(), pool, rules },
    ...{ cipher, keyRing, verifiedTokens, provider: { createSession: notHere, fetchDecision: notHere } },
    keyCache: {
      invalidateTenant: async tenantId => void forgotten.push(tenantId),
      invalidateAll: notHere,
    },
    notifier: { notify: () => undefined },
    log: { info: () => undefined, warn: () => undefined },
  })
  return { time, createScope, forgotten }
}

/** Binds to the purpose as the real one does; it hides nothing. */
const cipher: Cipher = {
  seal: (plaintext, purpose) => Buffer.from(`${purpose}\n${plaintext}`),
  open: (sealed, purpose) => {
    const [boundTo, ...rest] = sealed.toString().split('\n')
    if (boundTo !== purpose) throw new Error('Sealed for another purpose.')
    return rest.join('\n')
  },
}

function notHere(): Promise<never> {
  return Promise.reject(new Error('The console has no business with this.'))
}
