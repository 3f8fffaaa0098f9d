import { availableParallelism } from 'node:os'
import { expect } from 'chai'
import { allFaults } from '../chaos/faults/all-faults.ts'
import { planRandomly } from '../chaos/plan.ts'
import { describeWithRedis } from '../harness/engines/redis.ts'
import { seed } from '../harness/run/seed.ts'
import { runPlan } from './run-plan.ts'

describeWithRedis('The service under a minute of random faults', function () {
  this.timeout(300_000)

  it('keeps what it acknowledged, and says nothing that contradicts it', async () => {
    const { faults } = await runPlan({
      seed,
      roles: ['api', 'api', 'worker', 'worker'],
      clients: 2 + availableParallelism(),
      endsLifetimes: true,
      plan: planRandomly({ seed, perLane: 2, pace: 1, faults: allFaults }),
      minutesMax: 1,
    })
    expect(faults).to.be.greaterThan(0)
  })
})
