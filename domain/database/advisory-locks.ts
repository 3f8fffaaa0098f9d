import type { EntityManager } from '@mikro-orm/postgresql'
import { boolean, int, text } from './sql-types.ts'
import { statement } from './statement.ts'
import { inTransaction } from './transaction.ts'

/**
 * The advisory locks of the database, by key. The keys are arbitrary but must differ from each other, and must stay
 * the same from version to version: processes of two versions run at the same time during an upgrade.
 */
export const advisoryLocks = {
  /** Migrations are applied by one process at a time. */
  migrations: 7_201_918,
  /** Signing keys are rotated one after another. */
  signingKeyRotation: 7_201_920,
} as const

/** Takes one of the locks until the transaction ends. */
export async function lockAdvisory(em: EntityManager, key: number): Promise<void> {
  await lockNumber(inTransaction(em), { key })
}

/**
 * Makes transactions that create tenants for a user, or memberships of the user, run one after the other: a user has
 * no row to lock. The lock's key is a hash of 64 bits and no secret: a collision, also with one of the keys above, only
 * makes two transactions wait for each other.
 */
export async function lockUser(
  em: EntityManager,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<void> {
  await lockHash(inTransaction(em), { hashed: `user:${JSON.stringify([issuer, subject])}` })
}

export const lockNumber = statement({
  name: 'lock-number',
  text: 'select pg_advisory_xact_lock(:key)',
  values: { key: int },
  row: {},
})

export const lockHash = statement({
  name: 'lock-hash',
  text: 'select pg_advisory_xact_lock(hashtextextended(:hashed, 0))',
  values: { hashed: text },
  row: {},
})

export const tryLockHash = statement({
  name: 'try-lock-hash',
  text: 'select pg_try_advisory_xact_lock(hashtextextended(:hashed, 0)) as "isOwn"',
  values: { hashed: text },
  row: { isOwn: boolean },
})
