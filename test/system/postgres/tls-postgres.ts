import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { generate } from 'selfsigned'
import { serverAccount } from '#development/postgres/account.ts'
import { startPostgres } from '#development/postgres/start-postgres.ts'

export type TlsPostgres = Awaited<ReturnType<typeof startTlsPostgres>>

/** A PostgreSQL that accepts TLS connections only, with a self-signed certificate for `localhost`. */
export async function startTlsPostgres() {
  const closing = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'age-verification-tls-'))
  closing.defer(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o711)
  const postgres = await startPostgres({ folder, port: 0, databaseName: 'verify', durable: false })
  closing.defer(() => postgres.close())
  const admin = new pg.Client({ connectionString: postgres.url })
  await admin.connect()
  closing.defer(() => admin.end())
  const { uid, gid } = await serverAccount()
  const write = async (name: string, content: string) => {
    const file = join(folder, 'postgres', name)
    await writeFile(file, content, { mode: 0o600 })
    if (uid !== undefined) await chown(file, uid, gid!)
  }
  const certificateFile = join(folder, 'server.pem')
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  })
  await write('server.key', key)
  await write('server.crt', cert)
  await writeFile(certificateFile, cert)
  await write('pg_hba.conf', 'hostssl all all all scram-sha-256\n')
  await admin.query('alter system set ssl = on')
  await admin.query('select pg_reload_conf()')
  const url = new URL(postgres.url)
  url.hostname = 'localhost'
  return {
    /** With the name that the certificate has, without any parameter. */
    url: url.href,
    /** The same server by a name that the certificate doesn't have. */
    wrongNameUrl: postgres.url,
    /** PEM file of the server's self-signed certificate. */
    certificateFile,
    /** A connection that was opened before the server required TLS. */
    admin,
    close: () => closing.disposeAsync(),
  }
}
