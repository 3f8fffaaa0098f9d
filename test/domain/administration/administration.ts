import { type Database, openDatabase } from '#domain/database/open-database.ts'
import type { Actor, Scope } from '#domain/scope.ts'
import { createTestDatabase } from '#test/support/database.ts'
import { createTestScopes, memberIssuer } from '#test/support/scope.ts'

export { memberIssuer }

export interface Administration {
  database: Database
  /** The time of every scope that is created from now on. */
  time: { now: Date }
  /** Tenants whose keys were removed from all caches, in order; `*` for all tenants. */
  announced: string[]
  scope<By extends Actor>(actor: By): Scope<By>
  operator(): Scope
  close(): Promise<void>
}

/** The domain on a dedicated database, without its dependencies. */
export async function openAdministration(): Promise<Administration> {
  const { url, close } = await createTestDatabase()
  const database = await openDatabase({ url })
  const time = { now: new Date('2026-11-20T12:00:00.000Z') }
  const { scopeFor, invalidated } = createTestScopes(database, { clock: () => time.now })
  return {
    database,
    time,
    announced: invalidated,
    scope: scopeFor,
    operator: () => scopeFor({ kind: 'operator' }),
    async close() {
      await database.close()
      await close()
    },
  }
}

/** A user who is signed in and acts for no tenant yet. */
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
