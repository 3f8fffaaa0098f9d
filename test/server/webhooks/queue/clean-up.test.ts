import { expect } from 'chai'
import { noMetrics } from '#domain/ports.ts'
import type { Scope } from '#domain/scope.ts'
import { deleteOldDeliveries } from '#domain/webhook/delete-old-deliveries.ts'
import { makeDeliveriesDue } from '#domain/webhook/make-deliveries-due.ts'
import { captureLog } from '../../captured-log.ts'
import { claim, useQueueFixture } from './fixture.ts'

const dayMs = 24 * 60 * 60_000

describe('deleteOldDeliveries', () => {
  const queue = useQueueFixture()
  // Only what the job uses of a scope.
  const deleteOld = (now: Date) =>
    deleteOldDeliveries({ pool: queue.pool, now, metrics, log } as unknown as Scope)
  const { log, lines } = captureLog()
  const metrics = { ...noMetrics, deliveriesExpired: (count: number) => void expired.push(count) }
  const expired: number[] = []

  it('deletes deliveries 24 hours after their creation, and none earlier, and logs those that were not finished', async () => {
    const tenantId = await queue.addTenant()
    const now = new Date()
    const old = await queue.addDeliveries(tenantId, 3, new Date(now.getTime() - dayMs))
    const young = await queue.addDeliveries(tenantId, 3, new Date(now.getTime() - dayMs + 1))
    for (const [index, state] of ['delivered', 'failed'].entries()) {
      await queue.query('update delivery set state = $1 where verification_id = any ($2)', [
        state,
        [old[index], young[index]],
      ])
    }
    expect(await deleteOld(now)).to.equal(3)
    expect(expired.splice(0)).to.deep.equal([1])
    const remaining = (await queue.deliveries(tenantId)).map(row => row.verification_id)
    expect(remaining).to.have.members(young)
    expect(await deleteOld(now)).to.equal(0)
    const [{ time: _, ...line }, ...others] = lines() as [Record<string, unknown>]
    const fields = { tenantId, verificationId: old[2], reason: 'expired' }
    expect(line).to.deep.equal({ level: 'warn', ...fields, msg: 'Webhook event given up' })
    expect(others).to.deep.equal([])
  })

  it('deletes one in flight only after its attempt, which may still deliver it', async () => {
    const tenantId = await queue.addTenant()
    const createdAt = new Date()
    await queue.addDelivery(tenantId, createdAt)
    const claimedAt = new Date(createdAt.getTime() + dayMs - 1)
    expect(await claim(queue.pool, claimedAt)).to.have.lengthOf(1)
    const later = new Date(claimedAt.getTime() + 8_001)
    expect(await deleteOld(later)).to.equal(0)
    await makeDeliveriesDue(queue.pool, later)
    expect(await deleteOld(later)).to.equal(1)
  })
})
