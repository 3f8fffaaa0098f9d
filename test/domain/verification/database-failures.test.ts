import { expect } from 'chai'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { releaseInterruptedStarts } from '#domain/verification/release-starts.ts'
import { startVerification } from '#domain/verification/start-verification.ts'
import { rejected } from '../administration/rejected.ts'
import { effectsOf } from './effects.ts'
import { minuteMs, useFixture } from './fixture.ts'
import { startOne } from './start-one.ts'
import { losing, withQuery } from './with-query.ts'

describe('A database failure during a request', () => {
  const fixture = useFixture('test')
  let tenantId: string
  beforeEach(async () => {
    tenantId = await fixture.addTenant()
  })

  const stored = () => fixture.rows('select id from verification')

  it('throws DATABASE_ERROR and leaves no part of a completion behind', async () => {
    const one = await startOne(fixture, tenantId)
    await fixture.rows('alter table delivery rename to delivery_away')
    const approval = one.result('approved', { over18: true })
    const error = await rejected(recordProviderResult(fixture.service(), approval), 'DATABASE_ERROR')
    expect(error.message).not.to.match(/delivery|relation/)
    await fixture.rows('alter table delivery_away rename to delivery')
    const untouched = (await effectsOf(fixture, one.verificationId)).effects
    expect(untouched).to.include({ status: 'pending', tokens: 0, lastMove: null })
    expect(await recordProviderResult(fixture.service(), approval)).to.equal('applied')
    const { effects } = await effectsOf(fixture, one.verificationId)
    expect(effects).to.include({ status: 'approved', deliveries: 1, tokens: 1 })
  })

  it('does not count a repeated callback twice when only the response was lost', async () => {
    const one = await startOne(fixture, tenantId)
    const approval = one.result('approved', { over18: true })
    const scope = losing(fixture.service(), 'complete-verification')
    await rejected(recordProviderResult(scope, approval), 'DATABASE_ERROR')
    expect(await recordProviderResult(fixture.service(), approval)).to.equal('unchanged')
    const { effects } = await effectsOf(fixture, one.verificationId)
    expect(effects).to.include({ status: 'approved', deliveries: 1, tokens: 1 })
  })

  it('returns the same response to a start that is repeated under its key when only the response was lost', async () => {
    const input = { idempotencyKey: 'k' }
    const lost = losing(fixture.tenant(tenantId), 'confirm-start')
    await rejected(startVerification(lost, input), 'DATABASE_ERROR')
    const { verificationId } = await startVerification(fixture.tenant(tenantId), input)
    expect(await stored()).to.deep.equal([{ id: verificationId }])
    expect(await usedOf()).to.equal(1)
    fixture.clock.advance(minuteMs + 1)
    expect(await releaseInterruptedStarts(fixture.service())).to.equal(0)
  })

  it('uses no quota for a start that could not be stored, even if it cannot be undone immediately', async () => {
    const { pool } = fixture.service()
    const scope = withQuery(fixture.tenant(tenantId), async statement => {
      if (statement.name === 'reserve-start') return await pool.query(statement)
      throw new Error('connection lost')
    })
    await rejected(startVerification(scope, {}), 'DATABASE_ERROR')
    expect(await usedOf()).to.equal(1)
    fixture.clock.advance(minuteMs + 1)
    expect(await releaseInterruptedStarts(fixture.service())).to.equal(1)
    expect(await usedOf()).to.equal(0)
    expect(await stored()).to.deep.equal([])
  })

  async function usedOf(): Promise<number> {
    const [month] = await fixture.rows<{ used: number }>('select used from usage_month')
    return month!.used
  }
})
