import { isDeepStrictEqual } from 'node:util'
import type { Random } from '#test/harness/random.ts'
import { toFacts } from '../judge/judge-answer.ts'
import { shown } from '../judge/judge-verification.ts'
import { noChange, type StartEntry, type TenantEntry } from '../judge/ledger.ts'
import { graceMs } from '../judge/timeline.ts'
import type { Run } from '../run.ts'
import type { SupervisedService } from '../system/supervised-service.ts'
import { callTenantApi, pause } from './calls.ts'

/** A second request with a key can fail with the first one, which was sent up to 10 s before. */
const keyedGraceMs = graceMs + 10_000
const attemptsMax = 5

/** Starts a verification once, as a client does that doesn't repeat: what has no answer stays unknown. */
export async function startOnce(
  run: Run,
  process: SupervisedService,
  tenant: TenantEntry,
): Promise<StartEntry> {
  const entry = addEntry(tenant, undefined)
  await attempt(run, process, entry)
  return entry
}

/** Starts a verification with an idempotency key, again on any process until there is an answer, at times twice at once. */
export async function startWithKey(run: Run, random: Random, tenant: TenantEntry): Promise<StartEntry> {
  const entry = addEntry(tenant, `key-${tenant.starts.length}`)
  for (let count = 1; count <= attemptsMax; count += 1) {
    const attempts = Array.from({ length: random.chance(0.2) ? 2 : 1 }, () =>
      attempt(run, random.pick(run.system.apis), entry),
    )
    await Promise.all(attempts)
    if (entry.outcome === 'acknowledged' || !entry.mayUseQuota) return entry
    await pause(random, 300, 1_500)
  }
  return entry
}

/** Sends the start, and enters what the answer says. Later answers of the same key must be the same. */
export async function attempt(run: Run, process: SupervisedService, entry: StartEntry): Promise<void> {
  const { tenant, idempotencyKey } = entry
  const keyed = idempotencyKey !== undefined
  const { exchange, verdict } = await callTenantApi(run, process, tenant, '/verify/start', {
    json: {},
    ...(keyed && { headers: { 'idempotency-key': idempotencyKey }, grace: keyedGraceMs }),
  })
  if (verdict !== 'answered') return enter(entry, verdict)
  if (exchange.status === 201) return acknowledge(run, entry, exchange)
  const code = exchange.body?.error
  if (code !== 'QUOTA_EXCEEDED' && code !== 'HARD_LIMIT_EXCEEDED') {
    run.violations.add('A valid start is answered with 201', toFacts(exchange), exchange.sentAt)
  } else if (!mayBeUsedUp(tenant)) {
    run.violations.add('No start is rejected below the quota', toFacts(exchange), exchange.sentAt)
  }
  enter(entry, 'rejected')
  if (!keyed) entry.mayUseQuota = false
}

function addEntry(tenant: TenantEntry, idempotencyKey: string | undefined): StartEntry {
  const entry: StartEntry = {
    tenant,
    idempotencyKey,
    outcome: 'running',
    mayUseQuota: true,
    response: undefined,
    verificationId: undefined,
    decisions: [],
    completion: undefined,
    tokenRevoked: noChange(),
    erased: noChange(),
  }
  tenant.starts.push(entry)
  return entry
}

/** One unknown answer is enough for it to be stored; an acknowledged start stays so. */
function enter(entry: StartEntry, verdict: 'rejected' | 'unknown'): void {
  if (entry.outcome === 'running' || (entry.outcome === 'rejected' && verdict === 'unknown'))
    entry.outcome = verdict
}

function acknowledge(run: Run, entry: StartEntry, exchange: Parameters<typeof toFacts>[0]): void {
  const { body, text } = exchange
  const facts = { ...toFacts(exchange), entry: shown(entry) }
  const { verificationId, sessionUrl, ...rest } = body
  const config = { pollingIntervalMs: 3_000, tokenType: 'jwt' }
  const constants = { status: 'started', provider: 'veriff', config }
  if (typeof sessionUrl !== 'string' || !isDeepStrictEqual(rest, constants)) {
    run.violations.add('A start is answered as documented', facts, exchange.sentAt)
  }
  if (entry.response !== undefined && entry.response !== text) {
    run.violations.add('An idempotency key returns the first answer byte for byte', facts, exchange.sentAt)
  }
  Object.assign(entry, { outcome: 'acknowledged', response: entry.response ?? text, verificationId })
}

/** Whether all starts that were not rejected for certain could have used the quota, those in flight included. */
function mayBeUsedUp({ startsMax, starts }: TenantEntry): boolean {
  return startsMax !== undefined && starts.filter(({ mayUseQuota }) => mayUseQuota).length > startsMax
}
