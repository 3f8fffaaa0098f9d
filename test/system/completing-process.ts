/**
 * Completes every fourth open verification, in a separate process, as the provider's callbacks do.
 * Arguments: the database's URL, the tenant, which fourth, and the time.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { StatementPool } from '#domain/database/statement.ts'
import type { ProviderResult } from '#domain/provider-result.ts'
import { openDatabase } from '#domain/schema/open-database.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { createTestScopes } from '#test/harness/scope.ts'
import { providerResult } from '../domain/verification/scripted-provider.ts'

const [url, tenantId, fourth, now] = process.argv.slice(2) as [string, string, string, string]
const concurrency = 64
const database = await openDatabase({ url, poolSize: 4 })
const { scopeFor } = createTestScopes(database, { clock: () => new Date(now) })

async function findOpen(pool: StatementPool, after: string) {
  const text = `select id, provider_session_id as session from verification
    where tenant_id = $1 and id > $2 and completed_at is null and get_byte(uuid_send(id), 15) % 4 = $3
    order by id limit 1000`
  return (await pool.query({ name: '', text, values: [tenantId, after, fourth] })).rows as Open[]
}

interface Open {
  id: string
  session: string
}

async function complete({ id, session }: Open): Promise<void> {
  const outcome = id.endsWith('0') ? 'approved' : 'declined'
  const result = providerResult(outcome, { vendorData: id, providerSessionId: session, over18: true })
  // The provider sends again what was not recorded.
  while (!(await isRecorded(result))) await wait(1_000)
}

async function isRecorded(result: ProviderResult): Promise<boolean> {
  return await recordProviderResult(scopeFor({ kind: 'service' }), result).then(
    () => true,
    () => false,
  )
}

for (let last = '00000000-0000-0000-0000-000000000000'; ; ) {
  const open = await findOpen(database.pool, last)
  if (open.length === 0) break
  last = open.at(-1)!.id
  const queue = open.values()
  const lanes = Array.from({ length: concurrency }, async () => {
    for (const one of queue) await complete(one)
  })
  await Promise.all(lanes)
}
await database.close()
