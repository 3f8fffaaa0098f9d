import { expect } from 'chai'
import type { Scope } from '#domain/scope.ts'
import { deleteOldDeliveries } from '#domain/webhook/delete-old-deliveries.ts'
import { type Fixture, openFixture } from './fixture.ts'

describe('the clean-up of deliveries', () => {
  let fixture: Fixture
  before(async () => {
    fixture = await openFixture()
  })
  after(() => fixture.close())

  it('deletes them 24 hours after they were made, in whatever state, and none before', async () => {
    const tenant = await fixture.addTenant()
    const now = new Date()
    const dayMs = 24 * 60 * 60_000
    const old = await fixture.addEvents(tenant.id, 4, new Date(now.getTime() - dayMs))
    const young = await fixture.addEvents(tenant.id, 4, new Date(now.getTime() - dayMs + 1))
    for (const [index, state] of ['pending', 'in_flight', 'delivered', 'failed'].entries()) {
      await fixture.query('update delivery set state = $1 where verification_id = any ($2)', [
        state,
        [old[index], young[index]],
      ])
    }
    // All that the job uses of a scope.
    const scope = { pool: fixture.pool as Scope['pool'], now } as Scope
    expect(await deleteOldDeliveries(scope)).to.equal(4)
    expect((await fixture.rows(tenant.id)).map(({ id }) => id)).to.have.members(young)
    expect(await deleteOldDeliveries(scope)).to.equal(0)
  })
})
