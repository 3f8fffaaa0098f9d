import { expect } from 'chai'
import { definePlan } from '#domain/tenant/define-plan.ts'
import { listPlans } from '#domain/tenant/find-plan.ts'
import { useFixture } from './fixture.ts'
import { rejected } from './rejected.ts'

describe('plans', () => {
  const fixture = useFixture()

  it('cannot be defined with a hard limit below the quota, but with one below the quota that they keep', async () => {
    const operator = fixture.operator()
    const contradictory = { name: 'bad', monthlyQuota: 10, hardLimit: 9 }
    const error = await rejected(definePlan(operator, contradictory), 'INVALID_PARAMETERS')
    expect(error.details?.issues?.[0]?.path).to.equal('hardLimit')
    expect((await listPlans(fixture.operator())).map(plan => plan.name)).not.to.include('bad')
    expect(await definePlan(operator, { name: 'even', monthlyQuota: 10, hardLimit: 10 })).to.include({
      hardLimit: 10,
    })
    expect(await definePlan(operator, { name: 'even', hardLimit: 0 })).to.include({
      monthlyQuota: 10,
      hardLimit: 0,
    })
  })

  for (const [path, value] of [
    ['rateLimitPerMinute', 0],
    ['monthlyQuota', -1],
    ['hardLimit', 2 ** 31],
    ['readRateLimitPerMinute', 1.5],
    ['monthlyQuota', Number.NaN],
  ] as const) {
    it(`cannot have ${value} as ${path}`, async () => {
      const error = await rejected(
        definePlan(fixture.operator(), { name: 'bad', [path]: value }),
        'INVALID_PARAMETERS',
      )
      expect(error.details?.issues?.[0]?.path).to.equal(path)
      expect((await listPlans(fixture.operator())).map(plan => plan.name)).not.to.include('bad')
    })
  }
})
