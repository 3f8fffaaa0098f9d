import { expect } from 'chai'
import { batchLookups } from '#domain/database/batch-lookups.ts'
import type { StatementPool } from '#domain/database/statement.ts'
import { DomainError } from '#domain/errors.ts'

const databaseError = (message: string) => new DomainError('DATABASE_ERROR', { message })

const pool: StatementPool = { query: () => expect.fail('it is not used') }

describe('Look-ups of the same turn', () => {
  let statements: string[][]
  let failure: ((keys: readonly string[]) => Error | undefined) | undefined
  let lookUp: (key: string) => Promise<string | undefined>
  beforeEach(() => {
    statements = []
    failure = undefined
    const find = batchLookups(async (_, keys: readonly string[]) => {
      statements.push([...keys])
      const error = failure?.(keys)
      if (error) throw error
      const rows = keys.map((key, index) => ({ position: index + 1, value: `found ${key}` }))
      return rows.filter(({ value }) => value !== 'found none').toReversed()
    })
    lookUp = async key => (await find(pool, key))?.value
  })

  const all = (keys: string[]) => Promise.all(keys.map(lookUp))

  it('share one statement, and each gets its own result, also of equal keys', async () => {
    expect(await all(['a', 'b', 'a'])).to.deep.equal(['found a', 'found b', 'found a'])
    expect(statements).to.deep.equal([['a', 'b', 'a']])
  })

  it('get undefined for what there is no row of, alone or not', async () => {
    expect(await all(['a', 'none', 'b'])).to.deep.equal(['found a', undefined, 'found b'])
    expect(await all(['none'])).to.deep.equal([undefined])
  })

  it('are repeated alone when their statement fails, so that one cannot fail the others', async () => {
    failure = keys => (keys.includes('b') ? databaseError('b is wrong') : undefined)
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map(lookUp))
    expect(
      outcomes.map(outcome => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message)),
    ).to.deep.equal(['found a', 'b is wrong', 'found c'])
  })

  it('each fail with an error of their own when the connection is lost', async () => {
    failure = () => databaseError('connection lost')
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map(lookUp))
    const errors = outcomes.map(outcome => (outcome as PromiseRejectedResult).reason)
    expect(new Set(errors).size).to.equal(3)
    for (const error of errors) expect(error).to.have.property('message', 'connection lost')
  })
})
