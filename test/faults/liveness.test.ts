import { expect } from 'chai'
import { operations } from '../chaos/liveness/probes.ts'
import { standingFaults } from '../chaos/liveness/standing-faults.ts'
import { describeWithOwnRedis } from '../harness/engines/redis.ts'
import { runPlan } from './run-plan.ts'

describeWithOwnRedis('The service under a fault that stays', function () {
  this.timeout(180_000)

  it('goes on with everything that doesn’t need what is gone', async () => {
    const standing = ['crash of Redis', 'freeze'].map(
      name => standingFaults.find(({ fault }) => fault.name === name)!,
    )
    const { progress } = await runPlan({ plan: () => undefined, standing })
    const [withoutRedis, halfFrozen] = progress.map(({ workedAfterMs }) =>
      Object.keys(workedAfterMs).toSorted(),
    )
    expect(withoutRedis).to.deep.equal(['callback', 'event'])
    expect(halfFrozen).to.deep.equal(operations.toSorted())
  })
})
