import { expect } from 'chai'
import { type ErrorFields, errorFields } from '#server/logging/error-fields.ts'
import { createTestDatabase } from '../harness/database.ts'
import { useOpened } from '../harness/use-opened.ts'
import { queryIn } from './query-in.ts'

describe('Errors in the log', () => {
  const database = useOpened(createTestDatabase)

  it('of PostgreSQL have their class, SQLSTATE, table and constraint, and no values', async () => {
    const insert = `insert into plan (name, rate_limit_per_minute, read_rate_limit_per_minute, monthly_quota, hard_limit,
      overage) values ('private-name', 1, 1, 1, 1, false)`
    await queryIn(database.url, insert)
    const error = await queryIn(database.url, insert).catch((reason: unknown) => reason)
    const fields = errorFields(error) as ErrorFields
    const { at, ...others } = fields
    const constraint = { table: 'plan', constraint: 'plan_pkey' }
    expect(others).to.deep.equal({ type: 'DatabaseError', code: '23505', ...constraint })
    expect(at).to.be.an('array').that.is.not.empty
    expect(JSON.stringify(fields)).not.to.include('private-name')
  })

  it('are the project’s own message where the error is one', () => {
    expect(errorFields('admitted without a window')).to.equal('admitted without a window')
  })
})
