import { factsOf } from '../../model/judge-answer.ts'
import { type ApiKeyEntry, noChange, type TenantEntry } from '../../model/ledger.ts'
import type { Random } from '../../random.ts'
import type { Run } from '../../run.ts'
import { callConsole, useKey } from '../calls.ts'
import { pause } from '../pause.ts'

/** Far below the live keys that a tenant may have. */
const liveKeysMax = 40
/** Below the keys that a tenant may create within 24 hours: some are created by requests without an answer. */
const createdKeysMax = 900

/** Creates a key, uses it on every process, revokes it, and uses it on every process again. */
export async function useAndRevokeKey(run: Run, random: Random): Promise<void> {
  const { apis } = run.system
  const tenant = run.ledger.tenant('without events')
  if (tenant.furtherKeys.length >= createdKeysMax) return
  if (tenant.furtherKeys.filter(({ revoked }) => revoked.doneAt === undefined).length > liveKeysMax) return
  const key = await createKey(run, random, tenant)
  if (!key) return
  for (const process of apis) await useKey(run, process, tenant, key)
  await pause(random, 0, 500)
  await revokeKey(run, random, tenant, key)
  for (let count = 0; count < 3; count += 1) {
    await Promise.all(apis.map(process => useKey(run, process, tenant, key)))
    await pause(random, 100, 1_000)
  }
}

async function createKey(run: Run, random: Random, tenant: TenantEntry): Promise<ApiKeyEntry | undefined> {
  const process = random.pick(run.system.apis)
  const creation = { kind: 'mutation', path: 'apiKeys.create', input: { name: 'further' } } as const
  const { exchange, verdict, data } = await callConsole(run, process, tenant, creation)
  if (verdict !== 'answered') return undefined
  if (exchange.status !== 200) {
    run.violations.add('A key is created on request', factsOf(exchange), exchange.sentAt)
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
    const revocation = { kind: 'mutation', path: 'apiKeys.revoke', input: { apiKeyId } } as const
    const { exchange, verdict } = await callConsole(run, process, tenant, revocation)
    if (verdict === 'answered' && exchange.status === 200) revoked.doneAt = exchange.answeredAt
    else await pause(random, 200, 1_000)
  }
}
