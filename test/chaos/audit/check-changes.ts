import { createRandom } from '#test/harness/random.ts'
import { followChanges } from '../clients/follow-changes.ts'
import type { Run } from '../run.ts'
import { untilNone } from './settle.ts'

/**
 * Goes on with the changes of each tenant from the stored cursor, and compares them with the rows: every completion is listed
 * once, and once more if its token was revoked afterwards.
 */
export async function checkChanges(run: Run): Promise<void> {
  const random = createRandom(run.seed, 'changes, in the end')
  const missing = async () => {
    const completed = await readCompleted(run)
    for (const tenant of run.ledger.tenants) {
      while (await followChanges(run, random, tenant, { wait: 0 }));
    }
    return completed.filter(row => !isListed(run, row))
  }
  await untilNone(run, 'Every completion and every later revocation is listed as a change', missing)
  for (const { name, changes } of run.ledger.tenants) {
    for (const [verificationId, items] of changes.listed) {
      const isRevoked = items.at(-1)!.tokenRevokedAt != null
      const facts = { tenant: name, verificationId, items }
      if (items.length > (isRevoked ? 2 : 1)) run.violations.add('No change is listed twice', facts)
    }
  }
}

interface Completed {
  tenantId: string
  verificationId: string
  revoked: boolean
}

function isListed({ ledger }: Run, { tenantId, verificationId, revoked }: Completed): boolean {
  const tenant = ledger.tenants.find(one => one.tenantId === tenantId)
  const last = tenant?.changes.listed.get(verificationId)?.at(-1)
  return last !== undefined && (last.tokenRevokedAt != null || !revoked)
}

async function readCompleted({ system }: Run): Promise<Completed[]> {
  return await system.query<Completed>(
    `select tenant_id as "tenantId", id as "verificationId", token_revoked_at is not null as revoked
     from verification where completed_at is not null`,
  )
}
