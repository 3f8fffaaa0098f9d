import type { StatementPool } from '#domain/database/statement.ts'
import { WaitingRequests } from '#domain/fairness/waiting-requests.ts'
import { createAddressPolicy } from '#domain/network/public-address.policy.ts'
import {
  type Clock,
  type DomainMetrics,
  type IdentityProvider,
  noMetrics,
  type TestProvider,
} from '#domain/ports.ts'
import { veriffPractice } from '#domain/practice-statement/veriff-practice.ts'
import type { Database } from '#domain/schema/open-database.ts'
import type { Rules } from '#domain/scope.ts'
import { createKeyRing } from '#domain/signing-key/key-ring.ts'
import { contractVersion } from '#rest/contract-version.ts'
import { cipherName, createCipher } from '#server/cipher.ts'
import { createScopeFactory, type ScopeFor } from '#server/scope.ts'
import { waitForLocks } from './database.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** Whose subjects `member add` names. */
export const memberIssuer = 'https://sign-in.example.com'

export const testCipher = createCipher([Buffer.alloc(32, 7).toString('base64')])

export interface TestScopeOptions {
  clock: Clock
  /** Calls to it fail by default. */
  provider?: IdentityProvider
  /** That of test verifications; none by default. */
  testProvider?: TestProvider
  /** Sends the statements of the hot paths; the database's own by default. */
  pool?: StatementPool
  rules?: Partial<Rules>
  metrics?: Partial<DomainMetrics>
  /** Where wake-ups of workers are recorded. */
  wakeUps?: string[]
  /** Nobody can wait by default. */
  waitingRequests?: WaitingRequests
}

/** Scopes on a real database, without HTTP, Redis and workers. */
export interface TestScopes {
  scopeFor: ScopeFor
  /** Wake-ups that workers were sent, in order. */
  wakeUps: string[]
}

export function createTestScopes(database: Database, options: TestScopeOptions): TestScopes {
  const { clock, provider = noProvider, pool = database.pool, rules, metrics } = options
  waitForLocks(database.pool)
  const { testProvider, wakeUps = [], waitingRequests = new WaitingRequests(0) } = options
  const parts = {
    clock,
    pool,
    provider,
    testProvider,
    cipher: testCipher,
    keyRing: createKeyRing(pool, testCipher),
    rules: { ...defaultRules, ...rules },
    wakeWorker: (work: string) => void wakeUps.push(work),
    waitingRequests,
    metrics: { ...noMetrics, ...metrics },
    log: { info() {}, warn() {} },
  }
  return { scopeFor: createScopeFactory(parts, database.orm.em), wakeUps }
}

const defaultRules: Rules = {
  baseUrl: 'https://age.example.com',
  testTenants: 'allowed',
  dashboardUrl: 'https://age.example.com/dashboard',
  tokenLifetimeMs: 30 * dayMs,
  sessionLifetimeMs: 8 * dayMs,
  verificationRetentionMs: 400 * dayMs,
  auditRetentionMs: 730 * dayMs,
  retryDelaysMs: [minuteMs, 10 * minuteMs],
  memberIssuer,
  provisioningOpen: true,
  provisionLimit: 3,
  addresses: createAddressPolicy(),
  practice: {
    operator: {},
    provider: veriffPractice,
    encryption: cipherName,
    contract: contractVersion,
  },
}

const noProvider: IdentityProvider = {
  name: 'veriff',
  createSession: () => Promise.reject(new Error('These tests have no identity provider.')),
  fetchDecision: () => Promise.reject(new Error('These tests have no identity provider.')),
  deleteSession: () => Promise.reject(new Error('These tests have no identity provider.')),
}
