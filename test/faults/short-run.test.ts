import { expect } from 'chai'
import { faultsNamed } from '../chaos/faults/all-faults.ts'
import { planRandomly } from '../chaos/plan.ts'
import { describeWithOwnRedis } from '../harness/engines/redis.ts'
import { runPlan } from './run-plan.ts'

/** One of each lane. */
const names = ['failover', 'PostgreSQL one-way', 'crash of Redis', 'SIGKILL', 'broken provider', 'clock step']

describeWithOwnRedis('The service under faults', function () {
  this.timeout(180_000)

  it('keeps what it acknowledged, and says nothing that contradicts it', async () => {
    const plan = planRandomly({ seed: 1, perLane: 1, pace: 0.4, faults: faultsNamed(names) })
    const { faults } = await runPlan({ plan, faultsMax: 1 })
    expect(faults).to.equal(names.length)
  })
})
