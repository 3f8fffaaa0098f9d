import { execFile } from 'node:child_process'
import { rename, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { openMigratedPair } from '../harness/engines/migrated-pair.ts'
import type { PostgresPair } from '../harness/engines/postgres-pair.ts'
import type { PostgresServer } from '../harness/engines/postgres-server.ts'
import { eventually } from '../harness/eventually.ts'
import { expectError } from '../harness/expect-error.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { useOpened } from '../harness/use-opened.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'
import { testEncryptionKey } from '../operator/operate.ts'

const run = promisify(execFile)

describe('A service whose database is set back while it runs', () => {
  const opened = useOpened(openMigratedPair)
  const other = useOpened(openMigratedPair)
  const service = useService(() => ({
    databaseUrl: opened.databaseUrl,
    env: { ENCRYPTION_KEY: testEncryptionKey },
  }))
  const client = tenantClient(service, useNewTenant(service))

  const complete = async (count: number) => {
    const ids: string[] = []
    while (ids.length < count) ids.push(await client.decided('approve-adult'))
    return ids
  }
  async function list(after?: string): Promise<{ ids: string[]; next: string }> {
    const { status, body } = await client.send(`/verifications${after ? `?after=${after}` : ''}`)
    expect(status).to.equal(200)
    const items: { verificationId: string }[] = body.items
    return { ids: items.map(({ verificationId }) => verificationId), next: body.next }
  }

  /** Each sets the database back to what it was before the work. */
  const ways: Record<string, (pair: PostgresPair, work: () => Promise<void>) => Promise<void>> = {
    async 'a snapshot of its volume'({ primary }, work) {
      const snapshot = `${primary.dataFolder}.snapshot`
      await primary.kill()
      await run('cp', ['-a', primary.dataFolder, snapshot])
      await primary.start()
      await work()
      await primary.kill()
      await rm(primary.dataFolder, { recursive: true })
      await rename(snapshot, primary.dataFolder)
      await primary.start()
    },
    async 'a standby that lacks the last commits'(pair, work) {
      await pair.buildStandby()
      await pair.degrade()
      const waits = `select from pg_settings where name = 'synchronous_standby_names' and setting <> ''`
      await eventually(async () => (await pair.primary.query(waits)).length === 0)
      pair.replication.set('cut')
      await work()
      await pair.primary.kill()
      await pair.promoteStandby()
    },
    async 'a dump in another cluster'(pair, work) {
      const target = other.pair.primary
      const restore = await dump(pair.primary)
      await work()
      await pair.primary.kill()
      await restore(target)
      pair.addressed = target
    },
  }
  for (const [name, setBack] of Object.entries(ways)) {
    it(`to ${name} lists behind every cursor what completes from then on, without a restart`, async () => {
      const kept = await complete(2)
      let lost: string[] = []
      let ahead = ''
      await setBack(opened.pair, async () => {
        await eventually(async () => (await client.start()).status === 201)
        lost = await complete(3)
        const listed = await list()
        expect(listed.ids).to.deep.equal([...kept, ...lost])
        ahead = listed.next
      })
      await eventually(async () => (await client.start()).status === 201)
      expect((await list()).ids).to.deep.equal(kept)
      expect(await list(ahead)).to.deep.equal({ ids: [], next: ahead })
      for (const id of lost) expectError(await client.status(id), 'VERIFICATION_NOT_FOUND')
      const later = await complete(3)
      expect((await list(ahead)).ids).to.deep.equal(later)
      expect((await list()).ids).to.deep.equal([...kept, ...later])
    })
  }
})

/** The rows of all tables, as `pg_dump` has them. Returns the function that replaces those of another cluster by them. */
async function dump(from: PostgresServer) {
  const named = `select tablename as name from pg_tables where schemaname = 'public'`
  const tables = await from.query<{ name: string }>(named)
  const read = ({ name }: { name: string }) =>
    from.query(`select '${name}' as name, coalesce(json_agg(t), '[]')::text as rows from ${name} t`)
  const dumped = (await Promise.all(tables.map(read))).flat()
  return async (to: PostgresServer) => {
    const session = await to.connect()
    await session.query('set session_replication_role = replica')
    for (const { name, rows } of dumped) {
      await session.query(`delete from ${name}`)
      await session.query(`insert into ${name} select * from json_populate_recordset(null::${name}, $1)`, [
        rows,
      ])
    }
    await session.query(`alter role postgres password '${from.options.password}'`)
    await session.end()
  }
}
