import { expect } from 'chai'
import { dropOldDeliveries } from '#domain/event/drop-old-deliveries.ts'
import type { Scope } from '#domain/scope.ts'
import { openStage, type Stage } from './stage.ts'

describe('the clean-up of deliveries', () => {
  let stage: Stage
  before(async () => {
    stage = await openStage()
  })
  after(() => stage.close())

  it('deletes them 24 hours after they were made, in whatever state, and none before', async () => {
    const tenant = await stage.addTenant()
    const now = new Date()
    const dayMs = 24 * 60 * 60_000
    const old = await stage.addEvents(tenant.id, 4, new Date(now.getTime() - dayMs))
    const young = await stage.addEvents(tenant.id, 4, new Date(now.getTime() - dayMs + 1))
    for (const [index, state] of ['pending', 'in_flight', 'delivered', 'failed'].entries()) {
      await stage.query('update delivery set state = $1 where id = any ($2)', [
        state,
        [old[index], young[index]],
      ])
    }
    // All that the job uses of a scope.
    const scope = { pool: stage.pool as Scope['pool'], now } as Scope
    expect(await dropOldDeliveries(scope)).to.equal(4)
    expect((await stage.rows(tenant.id)).map(({ id }) => id)).to.have.members(young)
    expect(await dropOldDeliveries(scope)).to.equal(0)
  })
})
