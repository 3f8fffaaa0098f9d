import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { openDataFolder } from '#development/data-folder.ts'
import { runCommand } from '#development/operate.ts'
import { attachPostgres, startPostgres } from '#development/postgres/start-postgres.ts'
import { copyDataFolder } from '#test/harness/processes/service-fixture.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { testEncryptionKey } from '../../operator/operate.ts'

const unknownId = '01a00000-0000-7000-8000-000000000000'
const main = join(import.meta.dirname, '../../../operator/main.ts')

function start(env: Record<string, string>, args: string[]) {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  return spawn(process.execPath, [main, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function run(env: Record<string, string>, ...args: string[]) {
  const command = start(env, args)
  const [out, err, [code]] = await Promise.all([
    text(command.stdout),
    text(command.stderr),
    once(command, 'close'),
  ])
  return { code, out, err }
}

describe('the operator’s command as a process', () => {
  let database: TestDatabase
  let folder: string
  before(async () => {
    database = await createTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'operator-test-'))
    await chmod(folder, 0o711)
  })
  after(async () => {
    await database.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('prints one JSON value and nothing else, and exits with code 0', async () => {
    const env = { DATABASE_URL: database.url, ENCRYPTION_KEY: testEncryptionKey }
    const { code, out, err } = await run(env, 'tenant', 'create', '--name', 'Shop', '--json')
    expect({ code, err }).to.deep.equal({ code: 0, err: '' })
    expect(out).to.match(/^\{[^\n]+\}\n$/)
    expect(JSON.parse(out)).to.include({ name: 'Shop', plan: 'default', subscription: 'active' })
  })

  it('works on the embedded database without a service, also concurrently, and leaves nothing running', async () => {
    const env = { DATA_DIR: join(folder, 'data') }
    const created = await Promise.all(
      ['A', 'B'].map(name => run(env, 'tenant', 'create', '--name', name, '--json')),
    )
    for (const { code, out, err } of created) {
      expect(code, err).to.equal(0)
      expect(out).to.match(/^\{[^\n]+\}\n$/)
    }
    const used = `the embedded database in ${env.DATA_DIR}, because DATABASE_URL is not set`
    expect(created.map(({ err }) => err)).to.have.members([
      `Using ${used.replace('embedded', 'new, empty embedded')}\n`,
      `Using ${used}\n`,
    ])
    const { out, err } = await run(env, 'tenant', 'list', '--json')
    expect(err).to.equal(`Using ${used}\n`)
    const missing = await run(env, 'tenant', 'show', '--tenant', unknownId, '--json')
    expect(missing).to.deep.include({ code: 1, out: '' })
    expect(JSON.parse(missing.err)).to.deep.equal({
      error: 'INVALID_PARAMETERS',
      message: `No tenant has the id ${unknownId}. (in ${used})`,
    })
    const status = await run(env, 'database', 'status', '--json')
    expect(status).to.include({ code: 0, err: `Using ${used}\n` })
    const names = (JSON.parse(out) as { name: string }[]).map(({ name }) => name)
    expect(names).to.have.members(['A', 'B'])
    expect(await readdir(env.DATA_DIR)).not.to.include.members(['owner.pid', 'operator.pid'])
    const left = await attachPostgres({ folder: env.DATA_DIR, databaseName: 'age_verification' })
    expect(left).to.equal(undefined)
  })

  it('works on the embedded database of a running service, and leaves the database running', async () => {
    await copyDataFolder(join(folder, 'served'))
    const data = await openDataFolder(join(folder, 'served'))
    const databaseName = 'age_verification'
    const postgres = await startPostgres({ folder: data.path, port: 0, databaseName, durable: false })
    try {
      const env = { DATA_DIR: data.path }
      expect((await runCommand(env, ['tenant', 'create', '--name', 'Served'])).code).to.equal(0)
      const { code, out } = await run(env, 'tenant', 'list')
      expect(code).to.equal(0)
      expect(out).to.include('Served')
      expect(await attachPostgres({ folder: data.path, databaseName })).to.equal(postgres.url)
    } finally {
      await postgres.close()
      await data.release()
    }
  })
})
