import { randomBytes } from 'node:crypto'
import { type Database, openDatabase } from '#domain/database/open-database.ts'
import {
  type Actor,
  forTenant,
  type OperatorScope,
  type Scope,
  type TenantOperatorScope,
} from '#domain/scope.ts'
import { createKeyRing } from '#domain/signing-key/key-ring.ts'
import { createVerifiedTokens } from '#domain/token/verified-tokens.ts'
import { createAddressPolicy } from '#domain/webhook/public-address.policy.ts'
import { createCipher } from '#server/cipher.ts'
import { createTestDatabase } from '#test/support/database.ts'

const dayMs = 24 * 60 * 60 * 1000

export interface Fixture {
  database: Database
  /** The time of every scope created from now on. */
  time: { now: Date }
  /** The cache invalidations so far: tenant ids, and `*` for all tenants. */
  invalidated: string[]
  scope<By extends Actor>(actor: By): Scope<By>
  operator(): OperatorScope
  operatorFor(tenantId: string): TenantOperatorScope
  close(): Promise<void>
}

/** The domain on a dedicated database, without any of its other dependencies. */
export async function openFixture(): Promise<Fixture> {
  const { url, close } = await createTestDatabase()
  const database = await openDatabase({ url })
  const { orm, pool } = database
  const time = { now: new Date('2026-11-20T12:00:00.000Z') }
  const invalidated: string[] = []
  const cipher = createCipher(randomBytes(32).toString('base64'))
  const parts = {
    pool,
    cipher,
    keyRing: createKeyRing(pool, cipher),
    verifiedTokens: createVerifiedTokens(),
    rules,
    keyCache: {
      invalidateTenant: async (tenantId: string) => void invalidated.push(tenantId),
      invalidateAll: async () => void invalidated.push('*'),
    },
    provider: { createSession: unavailable, fetchDecision: unavailable },
    notifier: { notify() {} },
    log: { info() {}, warn() {} },
  }
  const scope = <By extends Actor>(actor: By): Scope<By> => ({
    ...parts,
    actor,
    now: time.now,
    clock: () => time.now,
    em: orm.em.fork(),
  })
  const operator = () => scope({ kind: 'operator' })
  return {
    database,
    time,
    invalidated,
    scope,
    operator,
    operatorFor: tenantId => forTenant(operator(), tenantId),
    async close() {
      await database.close()
      await close()
    },
  }
}

export const memberIssuer = 'https://sign-in.example.com'

const rules = {
  baseUrl: 'https://age.example.com',
  tokenLifetimeMs: 30 * dayMs,
  sessionLifetimeMs: 8 * dayMs,
  requestDataRetentionMs: 30 * dayMs,
  retryDelaysMs: [60_000, 600_000] as [number, number],
  memberIssuer,
  addresses: createAddressPolicy(),
}

function unavailable(): Promise<never> {
  return Promise.reject(new Error('Not available to administration.'))
}

/** A signed-in user without a tenant. */
export function user(subject: string) {
  return { kind: 'user', issuer: memberIssuer, subject, ip: '203.0.113.9' } as const
}

/** An owner of the tenant. */
export function owner(tenantId: string, subject = 'olivia') {
  return {
    kind: 'member',
    tenantId,
    issuer: memberIssuer,
    subject,
    role: 'owner',
    ip: '203.0.113.9',
  } as const
}
