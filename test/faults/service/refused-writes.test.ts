import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import pg from 'pg'
import { runCommand } from '#development/operate.ts'
import { applyMigrations } from '#domain/schema/apply-migrations.ts'
import type { Check } from '#operator/doctor/check.ts'
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

  /** The checks of the doctor that found a fault, with their messages. */
  async function faults(): Promise<Record<string, string>> {
    const { veriff } = service
    const env = {
      DATABASE_URL: opened.databaseUrl,
      ENCRYPTION_KEY: testEncryptionKey,
      BASE_URL: service.baseUrl,
      VERIFF_BASE_URL: service.veriffUrl,
      VERIFF_API_KEY: veriff.apiKey,
      VERIFF_SHARED_SECRET: veriff.sharedSecret,
    }
    const { checks }: { checks: Check[] } = JSON.parse((await runCommand(env, ['doctor', '--json'])).out)
    return Object.fromEntries(checks.filter(({ ok }) => !ok).map(({ name, message }) => [name, message]))
  }

  it('because its disk is full is not ready, which the doctor explains, until there is space', async () => {
    const { volume } = opened.server.options
    expect(volume.notLimited).to.equal(undefined)
    await untilReadiness(200)
    expect((await start()).status).to.equal(201)
    await volume.fill()
    try {
      await untilReadiness(503)
      const failed = await eventually(start, { until: ({ status }) => status !== 201 })
      expectError(failed, 'DATABASE_ERROR')
      const found = await faults()
      expect(found['database-writes']).to.match(
        /^the server refuses writes: .*No space left on device: free space/,
      )
      for (const name of Object.keys(found))
        expect(name).to.be.oneOf(['database-writes', 'worker', 'base-url'])
    } finally {
      await volume.clear()
    }
    await untilReadiness(200)
    expect((await start()).status).to.equal(201)
  })

  it('because a table is locked stays ready, and the doctor names who blocks it', async () => {
    const holder = new pg.Client({ connectionString: opened.databaseUrl, application_name: 'a person' })
    await holder.connect()
    const { rows } = await holder.query('select pg_backend_pid() as pid')
    await holder.query('begin')
    await holder.query('lock table verification in access exclusive mode')
    let isLocked = true
    const startWhileLocked = async () => {
      while (isLocked) await start()
    }
    const starting = startWhileLocked()
    try {
      const message = await eventually(async () => (await faults())['database-waits'] ?? false)
      expect(message).to.match(
        new RegExp(
          `^pid ${rows[0].pid} \\(a person, idle in transaction, transaction open for \\d+ s, lock table verification.* mode\\) blocks `,
        ),
      )
      expect(message).to.match(
        /such as pid \d+ \(age-verification, active, transaction open for \d+ s, statement [\w-]+\): end it with select/,
      )
      expect(await readiness()).to.equal(200)
    } finally {
      isLocked = false
      await holder.end()
    }
    await starting
    expect((await start()).status).to.equal(201)
    expect(await faults()).to.deep.equal({})
  })

  it('because no synchronous standby is there stays ready, and the doctor says what commits wait for', async () => {
    await opened.server.configure({ synchronous: true })
    await eventually(async () => {
      const [row] = await opened.server.query<{ names: string }>(
        `select current_setting('synchronous_standby_names') as names`,
      )
      return row!.names === '*'
    })
    const started = start()
    try {
      const found = await eventually(faults, { until: names => 'database-waits' in names })
      expect(found['database-waits']).to.match(/commits? waits? for a synchronous standby: start it/)
      expect(found['database-writes']).to.match(/^a commit did not finish within 3 s: /)
      expect(await readiness()).to.equal(200)
    } finally {
      await opened.server.configure({ synchronous: false })
    }
    expect((await started).status).to.equal(201)
  })
})
