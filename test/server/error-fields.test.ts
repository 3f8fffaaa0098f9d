import { expect } from 'chai'
import { type ErrorFields, errorFields } from '#server/logging/error-fields.ts'
import { openRedis } from '#server/redis/open-redis.ts'
import { createTestDatabase } from '../harness/database.ts'
import { describeWithRedis, startTestRedis } from '../harness/engines/redis.ts'
import { sendToRedis } from '../harness/engines/redis-servers.ts'
import { useOpened } from '../harness/use-opened.ts'
import { captureLog } from './captured-log.ts'
import { queryIn } from './query-in.ts'

describe('Errors in the log', () => {
  const database = useOpened(createTestDatabase)

  it('of PostgreSQL have their class, SQLSTATE, table and constraint, and no values', async () => {
    const insert = `insert into plan (name, rate_limit_per_minute, read_rate_limit_per_minute, monthly_quota, hard_limit,
      overage) values ('private-name', 1, 1, 1, 1, false)`
    await queryIn(database.url, insert)
    const fields = await fieldsOf(() => queryIn(database.url, insert))
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

describeWithRedis('Errors of Redis in the log', () => {
  const server = useOpened(startTestRedis)

  it('have the first word of the reply, and no values', async () => {
    const redis = await openRedis(server.url, captureLog().log)
    await sendToRedis(server.url, ['HSET', 'private-key', 'private', 'value'])
    const fields = await fieldsOf(() => redis.count('private-key', 1_000))
    redis.destroy()
    expect(fields).to.include({ type: 'SimpleError', reply: 'WRONGTYPE' })
    expect(JSON.stringify(fields)).not.to.include('private-key')
  })
})

async function fieldsOf(work: () => Promise<unknown>): Promise<ErrorFields> {
  const error = await work().then(
    () => expect.fail('it has not failed'),
    (reason: unknown) => reason,
  )
  return errorFields(error) as ErrorFields
}
