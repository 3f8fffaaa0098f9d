import { checkServerIdentity } from 'node:tls'
import { expect } from 'chai'
import { ConnectionUrlError, connectionOptions } from '#domain/postgres/index.ts'

const authority = 'test/fixtures/tls/ca.pem'
const severalHosts = /^names several hosts: name the proxy, or the endpoint, that is in front of them/

describe('The options of a database connection', () => {
  it('have the host, port, user, password and database of the URL', () => {
    expect(connectionOptions('postgres://me:p%40ss@db.example:6543/verify')).to.include({
      host: 'db.example',
      port: 6543,
      user: 'me',
      password: 'p@ss',
      database: 'verify',
    })
  })

  it('take a Unix socket as host, also without a host in the address, and then never use TLS', () => {
    for (const url of [
      'postgres:///verify?host=/run/postgresql&sslmode=verify-full',
      'postgres://me@/verify?host=/run/postgresql',
      'postgres://%2Frun%2Fpostgresql/verify',
    ]) {
      const expected = { host: '/run/postgresql', database: 'verify', ssl: false }
      expect(connectionOptions(url), url).to.include(expected)
    }
  })

  for (const parameters of [
    'sslmode=verify-full',
    'sslmode=require',
    'sslmode=prefer',
    `sslrootcert=${authority}`,
  ]) {
    it(`verify the certificate and the host name with ${parameters}`, () => {
      const { ssl } = connectionOptions(`postgres://db.example/d?${parameters}`)
      expect(ssl).to.have.property('rejectUnauthorized', true)
      expect(nameError(ssl, 'other.example')).to.have.property('code', 'ERR_TLS_CERT_ALTNAME_INVALID')
      expect(nameError(ssl, 'db.example')).to.equal(undefined)
    })
  }

  it('verify the certificate, but not the host name, with sslmode=verify-ca', () => {
    const { ssl } = connectionOptions(`postgres://db.example/d?sslmode=verify-ca&sslrootcert=${authority}`)
    expect(ssl).to.include({ rejectUnauthorized: true }).and.to.have.property('ca')
    expect(nameError(ssl, 'other.example')).to.equal(undefined)
  })

  it('encrypt without verification with sslmode=no-verify', () => {
    const { ssl } = connectionOptions('postgres://h/d?sslmode=no-verify')
    expect(ssl).to.have.property('rejectUnauthorized', false)
  })

  it('do not use TLS with sslmode=disable', () => {
    expect(connectionOptions('postgres://h/d?sslmode=disable')).to.have.property('ssl', false)
  })

  describe('are rejected', () => {
    const rejected: Record<string, RegExp> = {
      'mysql://h/d': /^must be a URL that starts with postgres:/,
      'postgres://h': /^must name a database$/,
      'postgres://u:hush@a:1,b:2/d': severalHosts,
      'postgres://a,b/d?sslmode=verify-full': severalHosts,
      'postgres:///d?host=a,b': severalHosts,
      'postgres://a/d?port=1,2': severalHosts,
      'postgres://a:0/d': /^has the parameter port, which must be a whole number from 1 to 65535$/,
      'postgres://::1/d': /^is not a valid URL: .* IPv6 address must be in brackets$/,
      'postgres://u:hush/hush@h/d': /^is not a valid URL/,
      'postgres://u:hush#hush@h/d': /^is not a valid URL/,
      'postgres://u:1?hush@h/d': /^has the parameter \(unreadable\), which is not supported$/,
      'postgres://hush:h/d': /^is not a valid URL/,
      'postgres://h/d?schema=avs': /^has the parameter schema, which is not supported/,
      'postgres://h/d?ssl=true': /^has the parameter ssl, which is not supported$/,
      'postgres://h/d?sslMode=verify-full': /^has the parameter sslMode, which is not supported/,
      'postgres://h/d?target_session_attrs=standby':
        /^has the parameter target_session_attrs, which must be read-write or primary$/,
      'postgres://h/d?sslmode=allow': /^has an unknown value of the parameter sslmode$/,
      'postgres://h/d?sslrootcert=/nowhere/ca.pem': /^names a file that cannot be used: ENOENT/,
      'postgres://h/d?sslmode=verify-ca': /^must have a file as the parameter sslrootcert with /,
      'postgres://h/d?connect_timeout=soon':
        /^has the parameter connect_timeout, which must be a whole number/,
    }
    for (const [url, message] of Object.entries(rejected)) {
      it(`for ${url}, in one line without the password`, () => {
        const parse = () => connectionOptions(url)
        expect(parse).to.throw(ConnectionUrlError, message)
        expect(parse).to.throw(/^(?!.*hush)[^\n]+$/)
      })
    }
  })
})

/** What the check of the server's name says about a certificate for this name. */
function nameError(ssl: ReturnType<typeof connectionOptions>['ssl'], name: string): Error | undefined {
  if (!ssl) throw new Error('there is no TLS')
  const check = ssl.checkServerIdentity ?? checkServerIdentity
  return check(ssl.host!, { subject: { CN: name }, subjectaltname: `DNS:${name}` } as never)
}
