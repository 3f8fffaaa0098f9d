import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import pg from 'pg'
import { applyMigrations } from '#domain/schema/apply-migrations.ts'
import { startWorker } from '#server/start/start-worker.ts'
import { PostgresPair } from '../../harness/engines/postgres-pair.ts'
import { eventually } from '../../harness/eventually.ts'
import { expectError } from '../../harness/expect-error.ts'
import { describeWith } from '../../harness/system-program.ts'
import { call, tenantClient } from '../../harness/tenant-client.ts'
import { useOpened } from '../../harness/use-opened.ts'
import { useService, useTenant } from '../../harness/use-service.ts'
import { testEncryptionKey } from '../../operator/operate.ts'

/** A PostgreSQL server of its own, on a file system that can be filled. */
async function openServer() {
  const folder = await mkdtemp(join(tmpdir(), 'refused-writes-'))
  // The server has an account of its own.
  await chmod(folder, 0o711)
  const pair = await PostgresPair.open(folder)
  const { port, password } = pair.primary.options
  const databaseUrl = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  await applyMigrations({ url: databaseUrl })
  return {
    databaseUrl,
    server: pair.primary,
    async close() {
      await pair.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const root = { isMissing: process.getuid?.() !== 0, reason: 'only root can mount a file system' }

describeWith([root], 'A service whose database stops to write', function () {
  this.timeout(120_000)
  const opened = useOpened(openServer)
  const service = useService(() => ({
    databaseUrl: opened.databaseUrl,
    env: { ENCRYPTION_KEY: testEncryptionKey },
  }))
  const tenant = useTenant(service)
  let worker: ReturnType<typeof startWorker>
  before(() => {
    worker = startWorker(service.services)
  })
  after(() => worker?.close())

  const start = () => tenantClient(service, tenant).start()
  const readiness = async () => (await call(`${service.baseUrl}/health/ready`)).status
  const untilReadiness = (expected: number) => eventually(async () => (await readiness()) === expected)

  /** Until a session waits like this. */
  const untilWaiting = (type: string) =>
    eventually(async () => {
      const text = `select from pg_stat_activity where wait_event_type = '${type}' or wait_event = '${type}'`
      return (await opened.server.query(text)).length > 0
    })

  it('because its disk is full is not ready until there is space', async () => {
    const { volume } = opened.server.options
    expect(volume.notLimited).to.equal(undefined)
    await untilReadiness(200)
    expect((await start()).status).to.equal(201)
    await volume.fill()
    try {
      await untilReadiness(503)
      const failed = await eventually(start, { until: ({ status }) => status !== 201 })
      expectError(failed, 'DATABASE_ERROR')
    } finally {
      await volume.clear()
    }
    await untilReadiness(200)
    expect((await start()).status).to.equal(201)
  })

  it('because a table is locked stays ready', async () => {
    const holder = new pg.Client({ connectionString: opened.databaseUrl })
    await holder.connect()
    await holder.query('begin; lock table verification in access exclusive mode')
    const starting = start()
    try {
      await untilWaiting('Lock')
      expect(await readiness()).to.equal(200)
    } finally {
      await holder.end()
    }
    await starting
    expect((await start()).status).to.equal(201)
  })

  it('because no synchronous standby is there stays ready', async () => {
    await opened.server.configure({ synchronous: true })
    await eventually(async () => {
      const [row] = await opened.server.query<{ names: string }>(
        `select current_setting('synchronous_standby_names') as names`,
      )
      return row!.names === '*'
    })
    const started = start()
    try {
      await untilWaiting('SyncRep')
      expect(await readiness()).to.equal(200)
    } finally {
      await opened.server.configure({ synchronous: false })
    }
    expect((await started).status).to.equal(201)
  })
})
