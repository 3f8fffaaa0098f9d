import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect } from 'chai'
import { connect, connectionOptions } from '#domain/postgres/index.ts'
import { applyMigrations, pendingMigrations } from '#domain/schema/apply-migrations.ts'
import { openDatabase } from '#domain/schema/open-database.ts'
import { failureOf } from '../../domain/administration/rejected.ts'
import { operate } from '../../operator/operate.ts'
import { startTlsPostgres, type TlsPostgres } from './tls-postgres.ts'

/** Everything that connects to PostgreSQL. Each rejects if it cannot connect. */
const connectors: Record<string, (url: string) => Promise<unknown>> = {
  'the pool': async url => await (await openDatabase({ url })).close(),
  migrations: async url => await applyMigrations({ url }),
  'the status of migrations': async url => await pendingMigrations({ url }),
  async 'the operator'(url) {
    const { code, err } = await operate({ DATABASE_URL: url }, 'plan', 'list')
    if (code !== 0) throw new Error(err)
  },
}

describe('A connection to a PostgreSQL that accepts only TLS', () => {
  let server: TlsPostgres
  before(async () => {
    server = await startTlsPostgres()
    await applyMigrations({ url: trusted(server.url) })
  })
  after(() => server.close())

  /** The URL with verification, which trusts the server's certificate. */
  const trusted = (url: string, mode = 'verify-full') =>
    `${url}?sslmode=${mode}&sslrootcert=${server.certificateFile}`

  for (const [name, connectTo] of Object.entries(connectors)) {
    it(`is accepted from ${name} with the server's authority`, async () => {
      await connectTo(trusted(server.url))
    })

    it(`is given up by ${name} if the certificate is for another name`, async () => {
      const error = await failureOf(connectTo(trusted(server.wrongNameUrl)))
      expect(error.message).to.match(/ERR_TLS_CERT_ALTNAME_INVALID|does not match certificate's altnames/)
    })
  }

  for (const mode of ['prefer', 'require', 'verify-full']) {
    it(`is given up if the certificate is self-signed, with sslmode=${mode}`, async () => {
      const error = await failureOf(connect(connectionOptions(`${server.url}?sslmode=${mode}`)))
      expect(error.message).to.match(/self-signed certificate/)
    })
  }
})

describe('The only message to a PostgreSQL without TLS', () => {
  for (const mode of ['prefer', 'require', 'verify-full', 'no-verify']) {
    it(`asks for TLS with sslmode=${mode}`, async () => {
      expect(await messagesWith(mode)).to.equal('0000000804d2162f')
    })
  }

  it('is that of a connection without TLS, with sslmode=disable', async () => {
    expect((await messagesWith('disable')).slice(8, 16)).to.equal('00030000')
  })

  /** What a server receives that refuses TLS, in hex. */
  async function messagesWith(mode: string): Promise<string> {
    const received: Buffer[] = []
    const server = createServer(socket => {
      socket.on('error', () => {})
      socket.on('data', data => {
        received.push(data)
        socket.end('N')
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    try {
      const url = `postgres://user:secret@127.0.0.1:${port}/verify?sslmode=${mode}`
      await failureOf(connect(connectionOptions(url)))
      return Buffer.concat(received).toString('hex')
    } finally {
      server.close()
    }
  }
})
