import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { Migration } from '@mikro-orm/migrations'
import { expect } from 'chai'
import { applyMigrations, pendingMigrations } from '#domain/schema/apply-migrations.ts'
import { openDatabase } from '#domain/schema/open-database.ts'
import { connectionOptions } from '#domain/postgres/index.ts'
import { createLog } from '#server/log.ts'
import { createProcessNotifications } from '#server/notifications/process-notifications.ts'
import { serviceFixture } from '#test/harness/processes/service-fixture.ts'
import { eventually } from '../../harness/eventually.ts'
import { startTlsPostgres, type TlsPostgres } from '../../harness/engines/tls-postgres.ts'
import { operate, testEncryptionKey } from '../../operator/operate.ts'
import { captureLog } from '../../server/captured-log.ts'

class RecordsTls extends Migration {
  override up(): void {
    this.addSql(
      'create table migration_connection as select ssl from pg_stat_ssl where pid = pg_backend_pid()',
    )
  }
}

/** Everything that connects to PostgreSQL. Each rejects if it cannot connect. */
const connectors: Record<string, (url: string) => Promise<unknown>> = {
  'the pool': async url => await (await openDatabase({ url })).close(),
  migrations: async url => await applyMigrations({ url }),
  'the status of migrations': async url => await pendingMigrations({ url }),
  async 'the operator'(url) {
    const { code, err } = await operate({ DATABASE_URL: url }, 'plan', 'list')
    if (code !== 0) throw new Error(err)
  },
  async 'the listener'(url) {
    const captured = captureLog()
    const notifications = notificationsOf(url, captured.log)
    const connected = Promise.withResolvers<void>()
    notifications.listen(() => connected.resolve())
    const failed = eventually(() => captured.text().includes('LISTEN connection lost'))
    try {
      const isConnected = await Promise.race([connected.promise.then(() => true), failed.then(() => false)])
      if (!isConnected) throw new Error(captured.text())
    } finally {
      connected.resolve()
      await notifications.close()
      failed.catch(() => undefined)
    }
  },
}

describe('A connection to a PostgreSQL that requires TLS', function () {
  this.timeout(90_000)
  let server: TlsPostgres
  before(async () => {
    server = await startTlsPostgres()
    await applyMigrations({ url: trusted(server.url) })
  })
  after(() => server.close())
  const fixture = serviceFixture()

  /** The URL with full verification, which trusts the server's certificate. */
  const trusted = (url: string) => `${url}?sslmode=verify-full&sslrootcert=${server.certificateFile}`

  for (const [name, connect] of Object.entries(connectors)) {
    it(`is accepted from ${name} with the server's authority`, async () => {
      await connect(trusted(server.url))
    })

    it(`is given up by ${name} if the certificate is for another name`, async () => {
      const error = await failure(connect(trusted(server.wrongNameUrl)))
      expect(error.message).to.match(/ERR_TLS_CERT_ALTNAME_INVALID|does not match certificate's altnames/)
    })

    for (const mode of ['require', 'verify-full']) {
      it(`is given up by ${name} if the certificate is self-signed, with sslmode=${mode}`, async () => {
        const error = await failure(connect(`${server.url}?sslmode=${mode}`))
        expect(error.message).to.match(/self-signed certificate|DEPTH_ZERO_SELF_SIGNED_CERT/)
      })
    }
  }

  it('tells when the certificates of the authority and of the server expire', async () => {
    const { validToDate } = new X509Certificate(readFileSync(server.certificateFile))
    const database = await openDatabase({ url: trusted(server.url) })
    try {
      const { authorities, client, server: shown } = database.certificates
      expect([authorities, client, shown()]).to.deep.equal([validToDate, undefined, validToDate])
    } finally {
      await database.close()
    }
  })

  it('is encrypted for migrations', async () => {
    const migrations = [{ name: 'RecordsTls', class: RecordsTls }]
    await server.admin.query('create schema scratch')
    const url = `${trusted(server.url)}&options=-c%20search_path%3Dscratch`
    expect(await applyMigrations({ url, migrations })).to.deep.equal(['RecordsTls'])
    const { rows } = await server.admin.query('select ssl from scratch.migration_connection')
    expect(rows).to.deep.equal([{ ssl: true }])
  })

  it('is encrypted for the pool and the listener of a service, and names it', async () => {
    const env = { DATABASE_URL: trusted(server.url), ENCRYPTION_KEY: testEncryptionKey, ROLE: 'worker' }
    const service = await fixture.start({ name: 'worker', env })
    try {
      await eventually(() => connectionsOf('age-verification-worker'), {
        until: rows => rows.some(isListener) && !rows.every(isListener),
      })
    } finally {
      service.signal('SIGTERM')
      await service.ended
    }
  })

  it('has the application name of the URL in the pool, the listener and the notifier', async () => {
    const url = `${trusted(server.url)}&application_name=mine`
    const database = await openDatabase({ url, applicationName: 'ours' })
    const worker = notificationsOf(url)
    worker.listen(() => {})
    const api = notificationsOf(url, createLog('silent'), { api: true, worker: false })
    api.notifier.notify('polling')
    try {
      await eventually(() => connectionsOf('mine'), {
        until: rows => rows.some(isListener) && rows.some(isNotifier) && rows.length === 3,
      })
      expect(await connectionsOf('ours')).to.deep.equal([])
    } finally {
      await Promise.all([database.close(), worker.close(), api.close()])
    }
  })

  interface Connection {
    ssl: boolean
    query: string
  }

  const isListener = ({ query }: Connection) => query === 'listen worker_wake'
  const isNotifier = ({ query }: Connection) => query.includes('pg_notify')

  /** The connections with that name, all of which must be encrypted. */
  async function connectionsOf(name: string): Promise<Connection[]> {
    const { rows } = await server.admin.query<Connection>(
      `select ssl, query from pg_stat_activity join pg_stat_ssl using (pid)
       where application_name = $1 and pid <> pg_backend_pid()`,
      [name],
    )
    expect(rows.filter(({ ssl }) => !ssl)).to.deep.equal([])
    return rows
  }
})

describe('The first message to PostgreSQL', () => {
  const sslRequest = '0000000804d2162f'

  for (const [name, connect] of Object.entries(connectors)) {
    for (const mode of ['require', 'verify-full', 'prefer', 'no-verify']) {
      it(`of ${name} asks for TLS with sslmode=${mode}`, async () => {
        expect(await firstMessage(connect, `?sslmode=${mode}`)).to.equal(sslRequest)
      })
    }

    it(`of ${name} does not ask for TLS with sslmode=disable`, async () => {
      const message = await firstMessage(connect, '?sslmode=disable')
      expect(message.slice(8, 16)).to.equal('00030000')
    })
  }

  /** The first message of a client, up to 8 bytes, in hex. The server has no TLS. */
  async function firstMessage(connect: (url: string) => Promise<unknown>, query: string): Promise<string> {
    const first = Promise.withResolvers<string>()
    const server = createServer(socket => {
      socket.on('error', () => {})
      socket.once('data', data => {
        first.resolve(data.subarray(0, 8).toString('hex'))
        socket.end('N')
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    try {
      await failure(connect(`postgres://user:secret@127.0.0.1:${port}/verify${query}`))
      return await first.promise
    } finally {
      server.close()
    }
  }
})

function notificationsOf(url: string, log = createLog('silent'), roles = { api: false, worker: true }) {
  return createProcessNotifications({ roles, connection: connectionOptions(url), log })
}

async function failure(work: Promise<unknown>): Promise<Error> {
  return await work.then(
    () => expect.fail('it did not fail'),
    (error: Error) => error,
  )
}
