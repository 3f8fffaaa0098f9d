import type { Random } from '#test/harness/random.ts'
import type { TenantEntry } from '../judge/ledger.ts'
import type { Run } from '../run.ts'
import { callTenantApi } from './calls.ts'

/**
 * Reads what has changed since the cursor that is stored, and stores the next one: as a back end does, of which one process
 * follows the changes. Returns how many there were; undefined without an answer.
 */
export async function followChanges(
  run: Run,
  random: Random,
  tenant: TenantEntry,
  { wait }: { wait: number },
): Promise<number | undefined> {
  const { changes } = tenant
  const { after } = changes
  const query = new URLSearchParams({
    limit: '20',
    wait: String(wait),
    ...(after !== undefined && { after }),
  })
  const process = random.pick(run.system.apis)
  const { exchange, verdict } = await callTenantApi(run, process, tenant, `/verifications?${query}`)
  if (verdict !== 'answered' || exchange.status !== 200) return undefined
  for (const item of exchange.body.items) {
    const before = changes.listed.get(item.verificationId) ?? []
    changes.listed.set(item.verificationId, [...before, item])
  }
  changes.after = exchange.body.next
  return exchange.body.items.length
}
