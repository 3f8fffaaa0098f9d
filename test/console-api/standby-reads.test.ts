import { expect } from 'chai'
import { consoleRouter } from '#console-api/router.ts'
import type { StandbyReads } from '#console-api/standby-reads.ts'
import { applyMigrations } from '#domain/database/apply-migrations.ts'
import { openStandby } from '#domain/standby/open-standby.ts'
import { createStandbyReads } from '#server/standby-reads.ts'
import { eventually } from '#test/support/eventually.ts'
import { type PostgresPair, postgresServer, startPostgresPair } from '#test/support/postgres-pair.ts'
import { describeWith } from '#test/support/system-program.ts'
import { type ConsoleServer, startConsoleServer } from './console-server.ts'
import { addTestTenant, addVerification, type TestTenant } from './tenants.ts'

describe('The console reads from a standby', () => {
  it('in its lists and statistics of verifications and of the audit log, and nowhere else', () => {
    const procedures = Object.entries(consoleRouter._def.procedures) as unknown as [
      string,
      { _def: { type: string; meta?: { mayReadStandby?: boolean } } },
    ][]
    const found = procedures.filter(([, { _def }]) => _def.meta?.mayReadStandby)
    expect(found.map(([path, { _def }]) => `${_def.type} ${path}`).toSorted()).to.deep.equal([
      'query audit.list',
      'query usage.current',
      'query usage.daily',
      'query usage.summary',
      'query verifications.list',
    ])
  })
})

describeWith([postgresServer], 'A standby that the console reads from', function () {
  this.timeout(60_000)
  let pair: PostgresPair
  let server: ConsoleServer
  let tenant: TestTenant
  let closing: AsyncDisposableStack
  let isCurrent = false
  before(async () => {
    closing = new AsyncDisposableStack()
    pair = await startPostgresPair()
    closing.defer(() => pair.close())
    const { url } = pair.primary()
    await applyMigrations({ url })
    let reads: StandbyReads
    const standby: StandbyReads = {
      scopeOn: scope => reads.scopeOn(scope),
      failed: () => reads.failed(),
    }
    server = await startConsoleServer({ standby }, {}, { url, close: async () => {} })
    closing.defer(() => server.close())
    const opened = await openStandby({
      url: pair.standby().url,
      primary: server.database.pool,
      onChange: current => {
        isCurrent = current
      },
    })
    closing.defer(() => opened.close())
    reads = createStandbyReads(opened)
    tenant = await addTestTenant(server)
  })
  beforeEach('wait until the standby is read from, and has everything', async () => {
    await pair.standby().query('select pg_wal_replay_resume()')
    await eventually(async () => isCurrent && (await listed()) === (await stored()))
  })
  after(() => closing.disposeAsync())

  it('shows what it has replayed', async () => {
    const before = await stored()
    await addUnseenVerification()
    expect(await listed()).to.equal(before)
  })

  it('is exported from, unless it lacks the record of an export before', async () => {
    const before = await stored()
    await addUnseenVerification()
    expect(await exported()).to.equal(before)
    expect(await exported()).to.equal(await stored())
  })

  it('is not read where it lacks a change that a member has made', async () => {
    await addUnseenVerification()
    await (await owner()).tenant.update.mutate({ name: `Renamed` })
    expect(await listed()).to.equal(await stored())
  })

  it('is not read when it is more than 10 s behind', async () => {
    await addUnseenVerification()
    await eventually(async () => (await listed()) === (await stored()), { timeoutMs: 30_000 })
  })

  it('is not missed when it stops, and read again when it is back', async () => {
    const standby = pair.standby()
    await standby.stop('immediate')
    for (let call = 0; call < 5; call++) expect(await listed()).to.equal(await stored())
    await eventually(() => !isCurrent)
    await standby.start()
    await eventually(() => isCurrent)
  })

  it('delays a list when it freezes, and then none', async () => {
    const standby = pair.standby()
    await standby.freeze()
    try {
      expect(await listed()).to.equal(await stored())
      await eventually(() => !isCurrent)
      expect(await listed()).to.equal(await stored())
    } finally {
      await standby.thaw()
    }
  })

  const owner = () => server.client(tenant.owner, tenant.tenantId)

  async function listed(): Promise<number> {
    const { items } = await (await owner()).verifications.list.query({})
    return items.length
  }

  async function exported(): Promise<number> {
    const authorization = `Bearer ${await server.signIn.sign({ sub: tenant.owner })}`
    const response = await server.fetch('exports/verifications.csv', { headers: { authorization } })
    return (await response.text()).trimEnd().split('\r\n').length - 1
  }

  async function stored(): Promise<number> {
    const [row] = await pair
      .primary()
      .queryIn<{ count: number }>('verify', 'select count(*)::int as count from verification')
    return row!.count
  }

  /** The standby has received it, but doesn't replay it. */
  async function addUnseenVerification(): Promise<void> {
    await pair.standby().query('select pg_wal_replay_pause()')
    await addVerification(server, tenant.tenantId)
  }
})
