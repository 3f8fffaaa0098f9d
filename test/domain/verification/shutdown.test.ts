import { expect } from 'chai'
import pg from 'pg'
import { createTestDatabase, waitForLocks } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { tenantClient } from '../../harness/tenant-client.ts'
import { createTestTenant, startTestService } from '../../harness/test-service.ts'

describe('A shutdown while groups of writes are under way', () => {
  it('waits for them: each request is answered, and what it was answered is stored', async () => {
    await using closing = new AsyncDisposableStack()
    const database = await createTestDatabase()
    closing.defer(() => database.close())
    const [blocker, observer] = [await connect(), await connect()]
    const service = await startTestService({ databaseUrl: database.url })
    waitForLocks(service.services.database.pool)
    const tenants = await Promise.all([1, 2, 3].map(() => createTestTenant(service)))
    const clients = tenants.map(tenant => tenantClient(service, tenant))

    await blocker.query('begin; lock table open_verification in exclusive mode')
    const starts = [1, 2, 3, 4].flatMap(() => clients.map(client => client.start()))
    // All have been accepted, and their confirmations wait in the database or for a group to return.
    await eventually(async () => {
      const { rows } = await observer.query(
        `select (select count(*)::int from start_reservation) as reserved, count(*) > 0 as "isWaiting"
         from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows[0].reserved === starts.length && rows[0].isWaiting
    })
    const closed = service.close()
    await blocker.query('commit')
    const responses = await Promise.all(starts)
    await closed

    expect(responses.map(({ status }) => status)).to.deep.equal(Array(starts.length).fill(201))
    const { rows } = await observer.query('select verification_id as id from open_verification')
    expect(rows.map(({ id }) => id)).to.have.members(responses.map(({ body }) => body.verificationId))

    async function connect(): Promise<pg.Client> {
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      closing.defer(() => client.end())
      return client
    }
  })
})
