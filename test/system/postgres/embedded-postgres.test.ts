import { chmod, chown, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import pg from 'pg'
import { openDataFolder } from '#development/data-folder.ts'
import { findServerProcess } from '#development/postgres/server-process.ts'
import { type PostgresOptions, startPostgres } from '#development/postgres/start-postgres.ts'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { queryIn as query } from '../../server/query-in.ts'
import { startOwnerProcess, stopOwnerProcess } from './owner-process.ts'

describe('embedded PostgreSQL', () => {
  const folder = temporaryFolder()
  const start = (options: Partial<PostgresOptions> = {}) =>
    startPostgres({ folder: folder.path, port: 0, databaseName: 'product', durable: false, ...options })

  const serverPid = async () => (await findServerProcess(join(folder.path, 'postgres')))!.pid

  let initialized: string[]
  before('initialize a cluster after an initialization that was interrupted', async () => {
    await mkdir(join(folder.path, 'postgres.draft-old', 'data', 'base'), { recursive: true })
    await (await start()).close()
    initialized = await readdir(folder.path)
  })

  it('restarts an initialization that was interrupted, in files for its owner only', async () => {
    expect(initialized).to.have.members(['postgres', 'postgres-password'])
    expect((await stat(join(folder.path, 'postgres-password'))).mode & 0o777).to.equal(0o600)
    expect((await stat(join(folder.path, 'postgres'))).mode & 0o777).to.equal(0o700)
  })

  it('keeps its data across a restart, and leaves no process running after close', async () => {
    const first = await start()
    await query(first.url, 'create table kept as select 42 as answer')
    const pid = await serverPid()
    await first.close()
    expect(() => process.kill(pid, 0)).to.throw('ESRCH')
    const second = await start()
    expect(await query(second.url, 'select answer from kept')).to.deep.equal([{ answer: 42 }])
    await second.close()
  })

  it('listens only on loopback, requires the password there, and flushes every commit to disk', async () => {
    const postgres = await start({ durable: true })
    const settings = `select current_setting('listen_addresses') as address, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commit`
    expect(await query(postgres.url, settings)).to.deep.equal([
      { address: '127.0.0.1', fsync: 'on', commit: 'on' },
    ])
    const address = new URL(postgres.url)
    address.password = 'wrong'
    const error = await query(address.href, 'select 1').catch(caught => caught)
    expect(error.code).to.equal('28P01')
    await postgres.close()
  })

  it('starts after the service was killed while the server kept running', async () => {
    const owner = await startOwnerProcess(folder.path)
    await query(owner.url, 'create table acknowledged as select 1 as n')
    await stopOwnerProcess(owner, 'SIGKILL')
    expect(await query(owner.url, 'select n from acknowledged')).to.have.length(1)
    // The lock of the data folder ends with the process that held it.
    await (await openDataFolder(folder.path)).release()
    const postgres = await start()
    expect(await query(postgres.url, 'select n from acknowledged')).to.have.length(1)
    expect(await serverPid()).not.to.equal(owner.serverPid)
    await postgres.close()
  })

  it('starts after the service and the server were killed, and waits for backends that outlive it', async () => {
    const owner = await startOwnerProcess(folder.path)
    const client = new pg.Client({ connectionString: owner.url })
    client.on('error', () => {})
    await client.connect()
    const session = (await client.query('select pg_backend_pid() as pid')).rows[0].pid as number
    process.kill(session, 'SIGSTOP')
    process.kill(owner.serverPid, 'SIGKILL')
    await stopOwnerProcess(owner, 'SIGKILL')
    let waited = false
    const onLog = (line: string) => {
      if (waited || !line.includes('shared memory block')) return
      waited = true
      process.kill(session, 'SIGCONT')
    }
    const postgres = await start({ onLog })
    expect(waited).to.equal(true)
    expect(await query(postgres.url, 'select 1 as n')).to.deep.equal([{ n: 1 }])
    await postgres.close()
  })
})

describe('embedded PostgreSQL and system users', () => {
  const folder = temporaryFolder()
  const isRoot = process.getuid?.() === 0

  it('runs if the service runs as a regular user', async () => {
    const account = isRoot ? { uid: nobodyId, gid: nobodyId } : {}
    const own = join(folder.path, 'own')
    await mkdir(own, { mode: 0o700 })
    if (isRoot) {
      await chmod(folder.path, 0o711)
      await chown(own, nobodyId, nobodyId)
    }
    const owner = await startOwnerProcess(own, account)
    expect(await query(owner.url, 'select 1 as n')).to.deep.equal([{ n: 1 }])
    expect((await stat(join(own, 'postgres'))).uid).to.equal(account.uid ?? process.getuid?.())
    expect((await stat(own)).mode & 0o777).to.equal(0o700)
    await stopOwnerProcess(owner, 'SIGTERM')
  })
})

/** The user `nobody` on common systems. */
const nobodyId = 65_534
