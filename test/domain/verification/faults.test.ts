import { expect } from 'chai'
import type { StatementPool } from '#domain/database/statement.ts'
import type { Scope } from '#domain/scope.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { releaseInterruptedStarts } from '#domain/verification/release-starts.ts'
import { startVerification } from '#domain/verification/start-verification.ts'
import { effectsOf } from './effects.ts'
import { type Fixture, minuteMs, openFixture } from './fixture.ts'
import { startOne } from './start-one.ts'

type Query = StatementPool['query']

describe('a database that fails in the middle', () => {
  let fixture: Fixture
  let tenantId: string
  beforeEach(async () => {
    fixture = await openFixture()
    tenantId = await fixture.addTenant()
  })
  afterEach(() => fixture.close())

  it('is a DATABASE_ERROR for whoever called, and leaves no part of a completion behind', async () => {
    const one = await startOne(fixture, tenantId)
    await fixture.rows('alter table delivery rename to delivery_away')
    const approval = one.result('approved', { over18: true })
    const refusal = await recordProviderResult(fixture.service(), approval).catch(error => error)
    expect(refusal.code).to.equal('DATABASE_ERROR')
    expect(refusal.message).not.to.match(/delivery|relation/)
    await fixture.rows('alter table delivery_away rename to delivery')
    const untouched = (await effectsOf(fixture, one.verificationId)).effects
    expect(untouched).to.include({ status: 'pending', tokens: 0, lastMove: null })
    expect(await recordProviderResult(fixture.service(), approval)).to.equal('moved')
    const { effects } = await effectsOf(fixture, one.verificationId)
    expect(effects).to.include({ status: 'approved', deliveries: 1, tokens: 1 })
  })

  it('does not make a callback’s repetition count twice when only the answer was lost', async () => {
    const one = await startOne(fixture, tenantId)
    const approval = one.result('approved', { over18: true })
    const scope = losing(fixture.service(), 'complete-verification')
    const refusal = await recordProviderResult(scope, approval).catch(error => error)
    expect(refusal.code).to.equal('DATABASE_ERROR')
    expect(await recordProviderResult(fixture.service(), approval)).to.equal('none')
    const { effects } = await effectsOf(fixture, one.verificationId)
    expect(effects).to.include({ status: 'approved', deliveries: 1, tokens: 1 })
  })

  it('gives the same answer to a start that is repeated under its key when only the answer was lost', async () => {
    const input = { idempotencyKey: 'k' }
    const lost = losing(fixture.tenant(tenantId), 'confirm-start')
    const refusal = await startVerification(lost, input).catch(error => error)
    expect(refusal.code).to.equal('DATABASE_ERROR')
    const { verificationId } = await startVerification(fixture.tenant(tenantId), input)
    expect(await rowsOf('verification')).to.deep.equal([{ id: verificationId }])
    expect(await usedOf()).to.equal(1)
    fixture.clock.advance(minuteMs + 1)
    expect(await releaseInterruptedStarts(fixture.service())).to.equal(0)
  })

  it('takes no quota for a start that could not be stored, even if that can’t be undone at once', async () => {
    const { pool } = fixture.service()
    const scope = withQuery(fixture.tenant(tenantId), async statement => {
      if (statement.name === 'reserve-start') return await pool.query(statement)
      throw new Error('connection lost')
    })
    const refusal = await startVerification(scope, {}).catch(error => error)
    expect(refusal.code).to.equal('DATABASE_ERROR')
    expect(await usedOf()).to.equal(1)
    fixture.clock.advance(minuteMs + 1)
    expect(await releaseInterruptedStarts(fixture.service())).to.equal(1)
    expect(await usedOf()).to.equal(0)
    expect(await rowsOf('verification')).to.deep.equal([])
  })

  async function rowsOf(table: 'verification'): Promise<unknown[]> {
    return await fixture.rows(`select id from ${table}`)
  }

  async function usedOf(): Promise<number> {
    const [month] = await fixture.rows<{ used: number }>('select used from usage_month')
    return month!.used
  }
})

/** A scope whose connection is lost after the statement was committed, and before its answer arrives. */
function losing<S extends Scope>(scope: S, name: string): S {
  return withQuery(scope, async statement => {
    const answer = await scope.pool.query(statement)
    if (statement.name === name) throw new Error('connection lost')
    return answer
  })
}

function withQuery<S extends Scope>(scope: S, query: Query): S {
  return { ...scope, em: scope.em, pool: { query } }
}
