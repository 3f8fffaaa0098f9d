import { expect } from 'chai'
import { isDatabaseAway } from '#domain/database/is-database-away.ts'
import { DomainError } from '#domain/errors.ts'
import { ServerRoleError } from '#domain/postgres/index.ts'
import { SchemaError } from '#domain/schema/schema-status.ts'

const ofServer = (code: string, message = '') =>
  Object.assign(new Error(message), { code, severity: 'FATAL' })
const ofSystem = (code: string, syscall?: string) => Object.assign(new Error(), { code, syscall })

describe('PostgreSQL', () => {
  it('is away, to be waited for, where it cannot be reached or used for now', () => {
    const away = [
      ...['ECONNREFUSED', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET'].map(code => ofSystem(code)),
      // The socket of a server that has not started yet.
      ofSystem('ENOENT', 'connect'),
      new Error('Connection terminated unexpectedly'),
      ...['57P03', '57P01', '53300', '53100', '25006', '55000', '08006'].map(code => ofServer(code)),
      ofServer('08P01', 'server login has been failing, try again later (server_login_retry)'),
      new ServerRoleError({ host: 'db', port: 5432 }, 'a standby'),
    ]
    for (const error of away) {
      const described = error.message || (error as NodeJS.ErrnoException).code
      expect(isDatabaseAway(error), described).to.equal(true)
      expect(isDatabaseAway(new DomainError('DATABASE_ERROR', { cause: error })), described).to.equal(true)
      expect(isDatabaseAway(new SchemaError('failed', { cause: error })), described).to.equal(true)
    }
  })

  it('is not away where somebody has to change something', () => {
    const wrong = [
      ...['28P01', '28000', '3D000', '42501', '42P01', '42704', '22023', '55P03'].map(code => ofServer(code)),
      ofServer('08P01', 'unsupported startup parameter: options'),
      ofServer('08P01', 'no such database: other'),
      ...['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'SELF_SIGNED_CERT_IN_CHAIN'].map(code =>
        ofSystem(code),
      ),
      new Error('The server does not support SSL connections'),
      new SchemaError('The database schema is newer than this program'),
      new TypeError('undefined is not a function'),
      undefined,
    ]
    for (const error of wrong) {
      expect(isDatabaseAway(error), error?.message || (error as NodeJS.ErrnoException)?.code).to.equal(false)
    }
  })
})
