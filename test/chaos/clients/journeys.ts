import { operate } from '#development/operate.ts'
import type { Random } from '#test/harness/random.ts'
import { toFacts } from '../judge/judge-answer.ts'
import { type ApiKeyEntry, type EnabledChange, noChange, type TenantEntry } from '../judge/ledger.ts'
import type { Run } from '../run.ts'
import { callConsole, callTenantApi, pause, readConsole, useKey } from './calls.ts'
import { ratePerMinute } from './prepare-tenants.ts'
import { verifySomeone } from './verify-someone.ts'

/** What a client does, one journey after the other. */
export const journeys: { weight: number; go: (run: Run, random: Random) => Promise<void> }[] = [
  { weight: 78, go: verifySomeone },
  { weight: 14, go: useAndRevokeKey },
  { weight: 4, go: exceedRateLimit },
  { weight: 4, go: disableTenant },
  { weight: 2, go: rotateSecret },
  { weight: 4, go: browseConsole },
  { weight: 1, go: rotateSigningKey },
]

/** Far below the live keys that a tenant may have. */
const liveKeysMax = 40
/** Below the keys that a tenant may create within 24 hours: some are created by requests without an answer. */
const createdKeysMax = 900

/** Creates a key, uses it on every process, revokes it, and uses it on every process again. */
async function useAndRevokeKey(run: Run, random: Random): Promise<void> {
  const tenant = run.ledger.tenant('without events')
  if (tenant.furtherKeys.length >= createdKeysMax) return
  if (tenant.furtherKeys.filter(({ revoked }) => revoked.doneAt === undefined).length > liveKeysMax) return
  const key = await createKey(run, random, tenant)
  if (!key) return
  for (const process of run.system.apisInTurn()) await useKey(run, process, tenant, key)
  await pause(random, 0, 500)
  await revokeKey(run, random, tenant, key)
  for (let count = 0; count < 3; count += 1) {
    await Promise.all(run.system.apis.map(process => useKey(run, process, tenant, key)))
    await pause(random, 100, 1_000)
  }
}

async function createKey(run: Run, random: Random, tenant: TenantEntry): Promise<ApiKeyEntry | undefined> {
  const process = random.pick(run.system.apis)
  const creation = ['mutation', 'apiKeys.create', { name: 'further' }] as const
  const { exchange, verdict, data } = await callConsole(run, process, tenant, ...creation)
  if (verdict !== 'answered') return undefined
  if (exchange.status !== 200) {
    run.violations.add('A key is created on request', toFacts(exchange), exchange.sentAt)
    return undefined
  }
  const key = { apiKeyId: data.apiKeyId, value: data.apiKey, revoked: noChange() }
  tenant.furtherKeys.push(key)
  return key
}

/** Again until the service confirms it: a revocation without an answer may have happened. */
async function revokeKey(run: Run, random: Random, tenant: TenantEntry, key: ApiKeyEntry): Promise<void> {
  const { apiKeyId, revoked } = key
  revoked.sentAt = run.timeline.now()
  for (let count = 0; count < 5 && revoked.doneAt === undefined; count += 1) {
    const process = random.pick(run.system.apis)
    const revocation = ['mutation', 'apiKeys.revoke', { apiKeyId }] as const
    const { exchange, verdict } = await callConsole(run, process, tenant, ...revocation)
    if (verdict === 'answered' && exchange.status === 200) revoked.doneAt = exchange.answeredAt
    else await pause(random, 200, 1_000)
  }
}

/** Sends a burst that exceeds the rate limit, of requests that have no other effect. */
async function exceedRateLimit(run: Run, random: Random): Promise<void> {
  const tenant = run.ledger.tenant('with a rate limit')
  const count = random.between(ratePerMinute / 2, 2 * ratePerMinute)
  for (let sent = 0; sent < count; sent += 5) {
    const burst = Array.from({ length: 5 }, () => complete(run, random, tenant))
    await Promise.all(burst)
  }
}

async function complete(run: Run, random: Random, tenant: TenantEntry): Promise<void> {
  const process = random.pick(run.system.apis)
  const { exchange, verdict } = await callTenantApi(run, process, tenant, '/verify/complete', { json: {} })
  if (verdict !== 'answered' || exchange.body?.error === 'VERIFICATION_MUST_USE_WEBHOOK') return
  run.violations.add('POST /verify/complete is always rejected', { answer: exchange.text }, exchange.sentAt)
}

/** An operator disables a tenant, and enables it again. Its key is used on every process after each change. */
async function disableTenant(run: Run, random: Random): Promise<void> {
  const tenant = run.ledger.tenant('disabled at times')
  // One at a time, also between both changes: the state after concurrent ones would not be known.
  const last = tenant.enabledChanges.at(-1)
  if (last && (!last.enabled || last.doneAt === undefined)) return
  for (const enabled of [false, true]) {
    const change: EnabledChange = { enabled, sentAt: run.timeline.now(), doneAt: undefined }
    tenant.enabledChanges.push(change)
    try {
      await operate(
        run.system.operatorEnv,
        'tenant',
        enabled ? 'enable' : 'disable',
        '--tenant',
        tenant.tenantId,
      )
      change.doneAt = run.timeline.now()
    } catch {
      // The command failed, maybe after its commit. The tenant's state stays unknown.
      return
    }
    for (let count = 0; count < 2; count += 1) {
      await Promise.all(run.system.apis.map(process => useKey(run, process, tenant)))
      await pause(random, 50, 500)
    }
  }
}

/** With the first one, as many as stay acceptable at the same time, so that every signature can be verified. */
const rotationsMax = 2

/** Rotates the webhook secret of a tenant with events. It counts even without an answer. */
async function rotateSecret(run: Run, random: Random): Promise<void> {
  const tenant = run.ledger.tenant('with events')
  if (tenant.rotations >= rotationsMax) return
  tenant.rotations += 1
  await callConsole(run, random.pick(run.system.apis), tenant, 'mutation', 'settings.rotateWebhookSecret')
}

/** Reads what the dashboard shows. */
async function browseConsole(run: Run, random: Random): Promise<void> {
  const tenant = run.ledger.tenant('with events')
  for (const path of ['verifications.list', 'usage.current', 'usage.daily', 'audit.list']) {
    await readConsole(run, random.pick(run.system.apis), tenant, path)
  }
}

/** An operator rotates the signing key. The tokens that were issued before stay valid, and the same. */
async function rotateSigningKey(run: Run, _: Random): Promise<void> {
  // A command that fails, maybe after its commit, changes nothing that a client could see.
  await operate(run.system.operatorEnv, 'signing-key', 'rotate').catch(() => undefined)
}
