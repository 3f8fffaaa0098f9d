import { ConnectionException } from '@mikro-orm/core'
import { expect } from 'chai'
import { isDatabaseError } from '#domain/database/database-error.ts'
import { toDomainError } from '#domain/to-domain-error.ts'

describe('A database error', () => {
  const serverError = (code: string) =>
    Object.assign(new Error('private'), { code, severity: 'FATAL', routine: 'x' })
  const systemError = (code: string, syscall?: string) =>
    Object.assign(new Error('private'), { code, ...(syscall && { syscall }) })

  const databaseErrors: Record<string, Error> = {
    "MikroORM's exception": new ConnectionException(new Error('private')),
    ...Object.fromEntries(
      ['57P01', '57P03', '53300', '25006', '55000', '40001', '08006', '57014'].map(code => [
        code,
        serverError(code),
      ]),
    ),
    ...Object.fromEntries(
      ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'].map(code => [
        code,
        systemError(code),
      ]),
    ),
    'a missing socket': systemError('ENOENT', 'connect'),
    'every address failed': Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }),
    'an exhausted pool': new Error('timeout exceeded when trying to connect'),
    'a lost connection': new Error('Connection terminated unexpectedly'),
    'a connection that timed out': new Error('Connection terminated due to connection timeout'),
    'an unusable client': new Error('Client has encountered a connection error and is not queryable'),
    'a closed pool': new Error('Cannot use a pool after calling end on the pool'),
  }
  for (const [name, error] of Object.entries(databaseErrors)) {
    it(`is recognized: ${name}`, () => {
      expect(isDatabaseError(error)).to.equal(true)
      expect(toDomainError(error)).to.include({ code: 'DATABASE_ERROR', cause: error })
    })
  }

  const others: Record<string, unknown> = {
    'a programming error': new TypeError('x is not a function'),
    'a missing file': systemError('ENOENT', 'open'),
    'an SQLSTATE without the fields of a server error': systemError('57P01'),
    'a message that has a code': Object.assign(new Error('Connection terminated'), { code: 'ERR_OTHER' }),
    'no error': 'Connection terminated',
  }
  for (const [name, error] of Object.entries(others)) {
    it(`is told apart from ${name}`, () => {
      expect(isDatabaseError(error)).to.equal(false)
      expect(toDomainError(error).code).to.equal('INTERNAL_ERROR')
    })
  }
})
