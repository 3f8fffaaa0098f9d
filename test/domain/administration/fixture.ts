import { type Database, openDatabase } from '#domain/schema/open-database.ts'
import {
  type Actor,
  forTenant,
  type OperatorScope,
  type Scope,
  type TenantOperatorScope,
} from '#domain/scope.ts'
import { createTestDatabase, patientUrl } from '../../harness/database.ts'
import { createTestScopes, dayMs, hourMs, memberIssuer } from '../../harness/scope.ts'
import { useOpened } from '../../harness/use-opened.ts'

export { dayMs, hourMs, memberIssuer }

export interface Fixture {
  database: Database
  /** The time of every scope created from now on. */
  time: { now: Date }
  scope<By extends Actor>(actor: By): Scope<By>
  operator(): OperatorScope
  operatorFor(tenantId: string): TenantOperatorScope
  close(): Promise<void>
}

/** A fixture for a suite or for each of its tests: the domain on a dedicated database, without its other dependencies. */
export const useFixture = (per: 'suite' | 'test' = 'suite'): Fixture => useOpened(openFixture, per)

async function openFixture(): Promise<Fixture> {
  const { url, close } = await createTestDatabase()
  const database = await openDatabase({ url: patientUrl(url), deadlineMs: 60_000 })
  const time = { now: new Date('2026-11-20T12:00:00.000Z') }
  const { scopeFor } = createTestScopes(database, { clock: () => time.now })
  const operator = () => scopeFor({ kind: 'operator' })
  return {
    database,
    time,
    scope: scopeFor,
    operator,
    operatorFor: tenantId => forTenant(operator(), tenantId),
    async close() {
      await database.close()
      await close()
    },
  }
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
