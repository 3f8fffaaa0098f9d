import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { ConnectionUrlError, connectionOptions } from '#domain/database/connection-options.ts'

const authority = 'test/fixtures/tls/ca.pem'

describe('The options of a database connection', () => {
  it('have the host, port, user, password and database of the URL', () => {
    const { host, port, user, password, database } = connectionOptions(
      'postgres://me:p%40ss@db.example:6543/verify',
    )
    expect({ host, port, user, password, database }).to.deep.equal({
      host: 'db.example',
      port: 6543,
      user: 'me',
      password: 'p@ss',
      database: 'verify',
    })
  })

  it('prefer the parameters host, port, user and password to the address', () => {
    const url = 'postgres://me:secret@db.example:1/verify?host=other&port=2&user=you&password=a%2Bb'
    expect(connectionOptions(url)).to.include({ host: 'other', port: 2, user: 'you', password: 'a+b' })
  })

  it('take a Unix socket as host, also without a host in the address, and then never use TLS', () => {
    for (const url of [
      'postgres:///verify?host=/run/postgresql&sslmode=verify-full',
      'postgres://me@/verify?host=/run/postgresql',
      'postgres://%2Frun%2Fpostgresql/verify',
    ]) {
      expect(connectionOptions(url), url).to.include({
        host: '/run/postgresql',
        database: 'verify',
        ssl: false,
      })
    }
  })

  it('have the application name, the options, the timeout and the keepalives of the URL', () => {
    const url =
      'postgres://h/d?application_name=mine&options=-c%20search_path%3Davs&connect_timeout=9&keepalives=0&keepalives_idle=30'
    expect(connectionOptions(url, { applicationName: 'ours' })).to.include({
      application_name: 'mine',
      fallback_application_name: 'ours',
      options: '-c search_path=avs',
      connectionTimeoutMillis: 9_000,
      keepAlive: false,
      keepAliveInitialDelayMillis: 30_000,
    })
  })

  describe('have several hosts', () => {
    const lists: Record<string, string[]> = {
      'postgres://me:a,b%40c@h1:6001,h2/verify': ['h1:6001', 'h2:5432'],
      'postgres://me:a,b%40c@h1,h2:6002/verify': ['h1:5432', 'h2:6002'],
      'postgres://me:a,b%40c@[::1]:6001,10.0.0.2/verify': ['::1:6001', '10.0.0.2:5432'],
      'postgres://me:a,b%40c@/verify?host=h1,h2&port=6000': ['h1:6000', 'h2:6000'],
      'postgres://me:a,b%40c@ignored/verify?host=h1,,h3&port=1,2,3': ['h1:1', 'localhost:2', 'h3:3'],
    }
    for (const [url, expected] of Object.entries(lists)) {
      it(`in ${url}`, async () => {
        const { user, password, database, servers } = connectionOptions(url)
        const addresses = await servers.addresses()
        const named = [...new Set(addresses.map(({ name, port }) => `${name}:${port}`))]
        expect({ user, password, database, named }).to.deep.equal({
          user: 'me',
          password: 'a,b@c',
          database: 'verify',
          named: expected,
        })
      })
    }

    it('each of whose certificates is compared with its own name', async () => {
      const { servers } = connectionOptions('postgres://h1.example,h2.example/d?sslmode=verify-full')
      for (const { name, ssl } of await servers.addresses()) {
        expect(nameError(ssl, name)).to.equal(undefined)
        expect(nameError(ssl, 'other.example')).to.have.property('code', 'ERR_TLS_CERT_ALTNAME_INVALID')
      }
    })

    it('and accept only a server that takes writes, unless the URL says otherwise', () => {
      expect(connectionOptions('postgres://a,b/d').servers.target).to.equal('read-write')
      expect(connectionOptions('postgres://a,b/d?target_session_attrs=any').servers.target).to.equal('any')
    })
  })

  it('have a default application name', () => {
    const options = connectionOptions('postgres://h/d', { applicationName: 'age-verification-api' })
    expect(options).to.include({ fallback_application_name: 'age-verification-api' })
    expect(options).not.to.have.property('application_name')
  })

  describe('verify the certificate', () => {
    for (const parameters of [
      'sslmode=verify-full',
      'sslmode=verify-ca',
      'sslmode=require',
      'sslmode=prefer',
      'ssl=true',
      'sslnegotiation=direct',
      `sslrootcert=${authority}`,
      'sslrootcert=system',
    ]) {
      it(`and the host name with ${parameters}`, () => {
        const { ssl } = connectionOptions(`postgres://db.example/d?${parameters}`)
        expect(ssl).to.have.property('rejectUnauthorized', true)
        expect(nameError(ssl, 'other.example')).to.have.property('code', 'ERR_TLS_CERT_ALTNAME_INVALID')
        expect(nameError(ssl, 'db.example')).to.equal(undefined)
      })
    }

    for (const mode of ['verify-ca', 'require']) {
      it(`but not the host name with uselibpqcompat=true, sslmode=${mode} and sslrootcert`, () => {
        const url = `postgres://db.example/d?uselibpqcompat=true&sslmode=${mode}&sslrootcert=${authority}`
        const { ssl } = connectionOptions(url)
        expect(ssl).to.have.property('rejectUnauthorized', true)
        expect(nameError(ssl, 'other.example')).to.equal(undefined)
      })
    }
  })

  for (const parameters of ['sslmode=no-verify', 'ssl=no-verify', 'sslmode=require&uselibpqcompat=true']) {
    it(`encrypt without verification with ${parameters}`, () => {
      expect(connectionOptions(`postgres://h/d?${parameters}`).ssl).to.deep.equal({
        rejectUnauthorized: false,
      })
    })
  }

  for (const parameters of ['sslmode=disable', 'ssl=false', 'ssl=0']) {
    it(`do not use TLS with ${parameters}`, () => {
      expect(connectionOptions(`postgres://h/d?${parameters}`)).to.have.property('ssl', false)
    })
  }

  describe('are rejected', () => {
    let folder: string
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'connection-options-'))
      await writeFile(join(folder, 'empty.pem'), 'no certificate')
    })
    after(() => rm(folder, { recursive: true }))

    const rejected: Record<string, RegExp> = {
      'mysql://h/d': /^must be a URL that starts with postgres:/,
      'postgres://h': /^must name a database$/,
      'postgres://a,b/d?port=1,2,3': /^must have one port for all hosts, or one for each$/,
      'postgres://a:0,b/d': /^has the parameter port, which must be a whole number from 1 to 65535$/,
      'postgres://::1,b/d': /^is not a valid URL: an IPv6 address must be in brackets$/,
      'postgres://a,b/d?target_session_attrs=master':
        /^has the parameter target_session_attrs, which must be one of any, read-write, /,
      'postgres://a,b/d?target_session_attrs=prefer-standby': /^has the parameter target_session_attrs, /,
      'postgres://u:hush/hush@h/d': /^is not a valid URL/,
      'postgres://u:hush#hush@h/d': /^must not contain #/,
      'postgres://u:1?hush@h/d': /^must not contain @ after \?/,
      'postgres://h:0/d?port=0': /^has the parameter port, which must be a whole number from 1 to 65535$/,
      'postgres://h/d?schema=avs': /^has the parameter schema, which is not supported/,
      'postgres://h/d?sslMode=verify-full': /^has the parameter sslMode, which is not supported/,
      'postgres://h/d?sslmode=allow': /^has the parameter sslmode, which must be one of disable, /,
      'postgres://h/d?sslmode=verify_full': /^has the parameter sslmode, which must be one of disable, /,
      'postgres://h/d?sslmode=disable&sslmode=require': /^has the parameter sslmode more than once$/,
      'postgres://h/d?ssl=true&sslmode=disable': /^must not have both of ssl and sslmode$/,
      'postgres://h/d?ssl=yes': /^has the parameter ssl, which must be one of /,
      'postgres://h/d?sslrootcert=/nowhere/ca.pem':
        /^has the parameter sslrootcert, which cannot be used: ENOENT/,
      'postgres://h/d?sslrootcert=FOLDER/empty.pem':
        /^has the parameter sslrootcert, which cannot be used: .* PEM/,
      'postgres://h/d?sslcert=test/fixtures/tls/ca.pem': /^must have both of sslcert and sslkey, or neither$/,
      'postgres://h/d?sslmode=verify-ca&uselibpqcompat=true': /^must have the parameter sslrootcert with /,
      'postgres://h/d?sslmode=disable&sslnegotiation=direct':
        /^must not have sslnegotiation=direct without TLS$/,
      'postgres://h/d?connect_timeout=soon':
        /^has the parameter connect_timeout, which must be a whole number/,
    }
    for (const [url, message] of Object.entries(rejected)) {
      it(`for ${url}, in one line without the password`, () => {
        const parse = () => connectionOptions(url.replace('FOLDER', folder))
        expect(parse).to.throw(ConnectionUrlError, message)
        expect(parse).to.throw(/^(?!.*hush)[^\n]+$/)
      })
    }
  })
})

/** What the check of the server's name says about a certificate for this name. */
function nameError(ssl: ReturnType<typeof connectionOptions>['ssl'], name: string): Error | undefined {
  if (!ssl) throw new Error('there is no TLS')
  return ssl.checkServerIdentity?.('ignored', {
    subject: { CN: name },
    subjectaltname: `DNS:${name}`,
  } as never)
}
