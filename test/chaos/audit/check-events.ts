import { isDeepStrictEqual } from 'node:util'
import { forTenant } from '#domain/scope.ts'
import { acceptableSecrets } from '#domain/tenant/webhook-secrets.ts'
import { openOperatorScope } from '#operator/open-scope.ts'
import { signature } from '#server/providers/veriff/signature.ts'
import { eventually } from '../../harness/eventually.ts'
import type { TenantEntry } from '../judge/ledger.ts'
import type { Run } from '../run.ts'
import type { ReceivedAttempt } from '../system/receivers.ts'
import type { StoredRows } from './check-rows.ts'

const attemptsMax = 3

/** The secrets that sign validly, by tenant. */
export type Secrets = Map<string, string[]>

/** Rotated ones are deleted after a day. */
export async function readSecrets({ system, ledger }: Run): Promise<Secrets> {
  const operator = await eventually(() => openOperatorScope(system.operatorEnv))
  try {
    const secrets: Secrets = new Map()
    for (const { tenantId } of ledger.tenants) {
      secrets.set(tenantId, await acceptableSecrets(forTenant(operator.scope, tenantId)))
    }
    return secrets
  } finally {
    await operator.close()
  }
}

/**
 * Compares what the receivers got with the completed verifications: one event each, in one to three attempts with the
 * same body and a valid signature, and none for anything else.
 */
export function checkEvents(run: Run, rows: StoredRows, secrets: Secrets): void {
  for (const tenant of run.ledger.tenants)
    compareEvents(run, rows, tenant, secrets.get(tenant.tenantId) ?? [])
}

/** Compares what one tenant's receiver got. */
export function compareEvents(run: Run, rows: StoredRows, tenant: TenantEntry, secrets: string[]): void {
  const received = Map.groupBy(
    rows.received.filter(({ path }) => path === tenant.receiverPath),
    ({ body }) => JSON.parse(body).data.verificationId as string,
  )
  const completed = rows.verifications.filter(
    ({ tenantId, completed }) => completed && tenantId === tenant.tenantId && tenant.receiverPath,
  )
  for (const { verificationId } of completed) {
    const attempts = received.get(verificationId) ?? []
    received.delete(verificationId)
    if (attempts.length === 0) checkUnseen(run, rows, verificationId)
    else checkAttempts(run, rows, tenant, { verificationId, attempts, secrets })
  }
  for (const [verificationId, attempts] of received) {
    if (wasErasedAfter(run, verificationId, attempts)) continue
    run.violations.add('Only completed verifications have an event', { verificationId, attempts })
  }
}

/** Longer than a worker is frozen, or a connection stalled, between claiming a delivery and sending it. */
const sendingMsMax = 30_000

/** Whether a decision can have completed the verification before it was erased, and the event was under way then. */
function wasErasedAfter(
  { ledger, timeline }: Run,
  verificationId: string,
  attempts: ReceivedAttempt[],
): boolean {
  const entry = ledger.starts.find(one => one.verificationId === verificationId)
  if (entry?.erased.sentAt === undefined || entry.decisions.length === 0) return false
  const endsAt = (entry.erased.doneAt ?? timeline.now()) + sendingMsMax
  const startedAt = performance.now() - timeline.now()
  return attempts.every(({ at }) => at - startedAt <= endsAt)
}

/** Workers that are killed between counting an attempt and sending it can use up all three. */
function checkUnseen({ violations }: Run, { deliveries }: StoredRows, verificationId: string): void {
  const delivery = deliveries.find(one => one.verificationId === verificationId)
  if (delivery?.state === 'failed' && delivery.attempts === attemptsMax) return
  violations.add('Every completed verification has an event', { verificationId, delivery })
}

function checkAttempts(
  { violations, ledger }: Run,
  { deliveries }: StoredRows,
  tenant: TenantEntry,
  received: { verificationId: string; attempts: ReceivedAttempt[]; secrets: string[] },
): void {
  const { verificationId, attempts, secrets } = received
  const counted = deliveries.find(one => one.verificationId === verificationId)?.attempts ?? 0
  const facts = { tenant: tenant.name, verificationId, attempts, counted }
  const [{ body } = { body: '' }] = attempts
  if (attempts.length > attemptsMax) violations.add('An event has three attempts at most', facts)
  if (attempts.length > counted) violations.add('An attempt is counted before it is sent', facts)
  if (attempts.some(one => one.body !== body))
    violations.add('All attempts of an event have the same body', facts)
  const isSigned = (one: ReceivedAttempt) =>
    secrets.some(secret => signature(one.body, secret) === one.signature)
  if (!attempts.every(isSigned)) violations.add('Every attempt has a valid signature', facts)
  const completion = ledger.starts.find(entry => entry.verificationId === verificationId)?.completion?.body
  if (!completion) return
  const { status, confidence, completedAt: timestamp } = completion
  const data = { verificationId, status, confidence, provider: 'veriff' }
  const expected = { event: 'verification.completed', tenantId: tenant.tenantId, data, timestamp }
  if (!isDeepStrictEqual(JSON.parse(body), expected)) {
    violations.add('An event says what the status says', { ...facts, expected })
  }
}
