import { expect } from 'chai'
import { startWorker } from '#server/start/start-worker.ts'
import { openMigratedPair } from '../../harness/engines/migrated-pair.ts'
import { eventually } from '../../harness/eventually.ts'
import { expectError } from '../../harness/expect-error.ts'
import { describeWith } from '../../harness/system-program.ts'
import { call, tenantClient } from '../../harness/tenant-client.ts'
import { useOpened } from '../../harness/use-opened.ts'
import { useService, useTenant } from '../../harness/use-service.ts'
import { testEncryptionKey } from '../../operator/operate.ts'

const root = { isMissing: process.getuid?.() !== 0, reason: 'only root can mount a file system' }

describeWith([root], 'A service whose database stops to write', () => {
  const opened = useOpened(openMigratedPair)
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
      return (await opened.pair.primary.query(text)).length > 0
    })

  it('because its disk is full is not ready until there is space', async () => {
    const { volume } = opened.pair.primary.options
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

  it('because no synchronous standby is there stays ready', async () => {
    await opened.pair.primary.configure({ synchronous: true })
    await eventually(async () => {
      const [row] = await opened.pair.primary.query<{ names: string }>(
        `select current_setting('synchronous_standby_names') as names`,
      )
      return row!.names === '*'
    })
    const started = start()
    try {
      await untilWaiting('SyncRep')
      await untilReadiness(200)
    } finally {
      await opened.pair.primary.configure({ synchronous: false })
    }
    expect((await started).status).to.equal(201)
  })
})
