import { expect } from 'chai'
import type { Scope } from '#domain/scope.ts'
import { deleteOldDeliveries } from '#domain/webhook/delete-old-deliveries.ts'
import { useQueueFixture } from './fixture.ts'

describe('deleteOldDeliveries', () => {
  const queue = useQueueFixture()

  it('deletes deliveries in any state 24 hours after their creation, and none earlier', async () => {
    const tenantId = await queue.addTenant()
    const now = new Date()
    const dayMs = 24 * 60 * 60_000
    const old = await queue.addDeliveries(tenantId, 4, new Date(now.getTime() - dayMs))
    const young = await queue.addDeliveries(tenantId, 4, new Date(now.getTime() - dayMs + 1))
    for (const [index, state] of ['pending', 'in_flight', 'delivered', 'failed'].entries()) {
      await queue.query('update delivery set state = $1 where verification_id = any ($2)', [
        state,
        [old[index], young[index]],
      ])
    }
    // Only what the job uses of a scope.
    const scope = { em: queue.em, now } as Scope
    expect(await deleteOldDeliveries(scope)).to.equal(4)
    const remaining = (await queue.deliveries(tenantId)).map(row => row.verification_id)
    expect(remaining).to.have.members(young)
    expect(await deleteOldDeliveries(scope)).to.equal(0)
  })
})
