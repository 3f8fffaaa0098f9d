import { expect } from 'chai'
import { addMember } from '#domain/member/add-member.ts'
import { eventually } from '../harness/eventually.ts'
import { useConsoleServer } from './console-server.ts'
import { addTestTenant, type TestTenant } from './tenants.ts'

describe('Concurrent calls of one console user', () => {
  const server = useConsoleServer()
  let tenant: TestTenant
  before(async () => {
    tenant = await addTestTenant(server, 'Tavern')
  })

  it('hold few connections to the database, however long they wait, and all succeed in the end', async () => {
    const subject = 'another owner'
    await addMember(server.createScope({ kind: 'operator', tenantId: tenant.tenantId }), {
      subject,
      role: 'owner',
    })
    const [busy, other] = [await server.client(tenant.owner), await server.client(subject)]
    const locking = await server.database.pool.connect()
    await locking.query({ name: '', text: 'begin', values: [] })
    const lock = 'select from tenant where id = $1 for update'
    await locking.query({ name: '', text: lock, values: [tenant.tenantId] })
    const updates = Promise.all(
      Array.from({ length: 20 }, (_, n) => busy.tenant.update.mutate({ name: `Inn ${n}` })),
    )
    try {
      await eventually(waitingForLock, { until: count => count === 4 })
      // The pool has eight connections.
      expect(await other.tenant.get.query()).to.include({ name: 'Tavern' })
      expect(await waitingForLock()).to.equal(4)
    } finally {
      await locking.query({ name: '', text: 'rollback', values: [] })
      locking.release()
    }
    expect((await updates).map(({ name }) => name)).to.have.length(20)
    expect((await other.tenant.get.query()).name).to.match(/^Inn \d+$/)
  })

  async function waitingForLock(): Promise<number> {
    const { rows } = await server.database.pool.query({
      name: '',
      text: `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      values: [],
    })
    return (rows[0] as { count: number }).count
  }
})
