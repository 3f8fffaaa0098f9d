import { expect } from 'chai'
import { Refusal } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { ProviderUnavailable } from '#domain/ports.ts'
import { releaseInterruptedStarts } from '#domain/verification/release-starts.ts'
import { reserveStart } from '#domain/verification/reserve-start.ts'
import { startVerification } from '#domain/verification/start-verification.ts'
import { away } from '../verification/scripted-provider.ts'
import { type Limits, minuteMs, openStage, type Stage } from '../verification/stage.ts'

describe('the month’s quota', () => {
  let stage: Stage
  before(async () => {
    stage = await openStage()
  })
  after(() => stage.close())
  beforeEach(() => {
    stage.provider.before = async () => {}
    stage.clock.set(new Date('2026-11-20T12:00:00.000Z'))
  })

  const cases: [limits: Limits, admitted: number, refusal: string][] = [
    [{ monthlyQuota: 0, hardLimit: 5, overage: false }, 0, 'QUOTA_EXCEEDED'],
    [{ monthlyQuota: 1, hardLimit: 5, overage: false }, 1, 'QUOTA_EXCEEDED'],
    [{ monthlyQuota: 7, hardLimit: 50, overage: false }, 7, 'QUOTA_EXCEEDED'],
    [{ monthlyQuota: 39, hardLimit: 50, overage: false }, 39, 'QUOTA_EXCEEDED'],
    [{ monthlyQuota: 3, hardLimit: 12, overage: true }, 12, 'HARD_LIMIT_EXCEEDED'],
    [{ monthlyQuota: 30, hardLimit: 9, overage: false }, 9, 'HARD_LIMIT_EXCEEDED'],
    [{ monthlyQuota: 5, hardLimit: 0, overage: true }, 0, 'HARD_LIMIT_EXCEEDED'],
  ]
  for (const [limits, admitted, refusal] of cases) {
    const title = `quota ${limits.monthlyQuota}, ceiling ${limits.hardLimit}${limits.overage ? ', overage' : ''}`
    it(`admits exactly ${admitted} of 40 starts at once (${title})`, async () => {
      const tenantId = await stage.addTenant({ limits })
      const answers = await startMany(stage, tenantId, 40)
      expect(answers.filter(answer => answer === 'started')).to.have.length(admitted)
      expect(answers.filter(answer => answer === refusal)).to.have.length(40 - admitted)
      expect(await countsOf(stage, tenantId)).to.deep.equal({
        used: admitted,
        reserved: 0,
        stored: admitted,
        started: admitted,
      })
    })
  }

  it('gives back exactly what failed starts took, with others at the same time', async () => {
    const tenantId = await stage.addTenant({ limits: { monthlyQuota: 10, hardLimit: 20, overage: false } })
    stage.provider.before = async call => {
      if (call % 3 === 0) throw new ProviderUnavailable('away')
    }
    const answers = await startMany(stage, tenantId, 40)
    const started = answers.filter(answer => answer === 'started').length
    expect(new Set(answers)).to.deep.equal(new Set(['started', 'INTERNAL_ERROR', 'QUOTA_EXCEEDED']))
    expect(await countsOf(stage, tenantId)).to.deep.equal({
      ...{ used: started, reserved: 0, stored: started, started },
    })
    stage.provider.before = async () => {}
    await startMany(stage, tenantId, 40)
    expect(await countsOf(stage, tenantId)).to.include({ used: 10, stored: 10, started: 10 })
  })

  it('refuses at the ceiling as at the ceiling, also when another start has just given its place back', async () => {
    const tenantId = await stage.addTenant({ limits: { monthlyQuota: 1, hardLimit: 1, overage: true } })
    await startMany(stage, tenantId, 1)
    const scope = stage.tenant(tenantId)
    const { pool } = scope
    const racing = {
      ...scope,
      em: scope.em,
      pool: {
        async query(statement: Parameters<typeof pool.query>[0]) {
          const answer = await pool.query(statement)
          if (statement.name === 'reserve-start') {
            await stage.rows('update usage_month set used = 0 where tenant_id = $1', [tenantId])
          }
          return answer
        },
      },
    }
    expect(await codeOf(startVerification(racing, {}))).to.equal('HARD_LIMIT_EXCEEDED')
  })

  it('says how many seconds are left of the UTC month', async () => {
    const tenantId = await stage.addTenant({ limits: { monthlyQuota: 0, hardLimit: 5, overage: false } })
    for (const [moment, seconds] of [
      ['2026-11-30T23:59:59.999Z', 1],
      ['2026-11-30T23:59:00.000Z', 60],
      ['2026-12-01T00:00:00.000Z', 31 * 86_400],
      ['2028-02-28T00:00:00.000Z', 2 * 86_400],
      ['2026-12-31T00:00:00.500Z', 86_400],
    ] as const) {
      stage.clock.set(new Date(moment))
      const refusal = await startVerification(stage.tenant(tenantId), {}).catch(error => error)
      expect(refusal.details, moment).to.deep.equal({ retryAfterSeconds: seconds })
    }
  })

  it('begins anew with the UTC month, and only then', async () => {
    const tenantId = await stage.addTenant({ limits: { monthlyQuota: 2, hardLimit: 5, overage: false } })
    stage.clock.set(new Date('2026-11-30T23:59:59.000Z'))
    expect(await startMany(stage, tenantId, 3)).to.have.members(['started', 'started', 'QUOTA_EXCEEDED'])
    stage.clock.set(new Date('2026-11-30T23:59:59.999Z'))
    expect(await startMany(stage, tenantId, 1)).to.deep.equal(['QUOTA_EXCEEDED'])
    stage.clock.set(new Date('2026-12-01T00:00:00.000Z'))
    expect(await startMany(stage, tenantId, 3)).to.have.members(['started', 'started', 'QUOTA_EXCEEDED'])
    const months = await stage.rows(
      'select month::text, used from usage_month where tenant_id = $1 order by month',
      [tenantId],
    )
    expect(months).to.deep.equal([
      { month: '2026-11-01', used: 2 },
      { month: '2026-12-01', used: 2 },
    ])
    const days = await stage.rows(
      'select day::text, started from usage_day where tenant_id = $1 order by day',
      [tenantId],
    )
    expect(days).to.deep.equal([
      { day: '2026-11-30', started: 2 },
      { day: '2026-12-01', started: 2 },
    ])
  })

  it('is given back to the month that it was taken from', async () => {
    const tenantId = await stage.addTenant()
    stage.clock.set(new Date('2026-11-30T23:59:59.999Z'))
    stage.provider.before = async () => {
      stage.clock.set(new Date('2026-12-01T00:00:05.000Z'))
      await away()
    }
    expect(await startMany(stage, tenantId, 1)).to.deep.equal(['INTERNAL_ERROR'])
    expect(await countsOf(stage, tenantId)).to.include({ used: 0, reserved: 0, stored: 0 })
  })

  it('stays where it is for a tenant whose plan is made smaller', async () => {
    const tenantId = await stage.addTenant({ limits: { monthlyQuota: 5, hardLimit: 9, overage: false } })
    await startMany(stage, tenantId, 5)
    await stage.rows(
      'update plan set monthly_quota = 2, hard_limit = 3 where name = (select plan_name from tenant where id = $1)',
      [tenantId],
    )
    expect(await startMany(stage, tenantId, 2)).to.deep.equal(['HARD_LIMIT_EXCEEDED', 'HARD_LIMIT_EXCEEDED'])
    expect(await countsOf(stage, tenantId)).to.include({ used: 5, stored: 5 })
  })
})

describe('starts that never finished', () => {
  let stage: Stage
  before(async () => {
    stage = await openStage()
  })
  after(() => stage.close())

  it('give their quota back once, however many workers look for them', async () => {
    const workers = [stage, await stage.openProcess(), await stage.openProcess()]
    await Promise.all(Array.from({ length: 40 }, () => stage.addTenant()))
    for (let round = 0; round < 4; round++) {
      await reserveThousands(stage)
      stage.clock.advance(minuteMs + 1)
      await Promise.all(workers.flatMap(worker => [1, 2].map(() => drain(worker.service))))
      const left = await stage.rows('select from start_reservation')
      const used = await stage.rows('select used from usage_month where used <> 0')
      expect([left.length, used.length]).to.deep.equal([0, 0])
    }
  })

  it('are left alone for a minute, in which they may still be running', async () => {
    const tenantId = await stage.addTenant()
    await reserveOne(stage, tenantId)
    stage.clock.advance(minuteMs)
    expect(await releaseInterruptedStarts(stage.service())).to.equal(0)
    stage.clock.advance(1)
    expect(await releaseInterruptedStarts(stage.service())).to.equal(1)
    expect(await releaseInterruptedStarts(stage.service())).to.equal(0)
    expect(await countsOf(stage, tenantId)).to.include({ used: 0, reserved: 0 })
  })

  it('store nothing when they go on after their quota was given back', async () => {
    const tenantId = await stage.addTenant()
    stage.provider.before = async () => {
      stage.clock.advance(minuteMs + 1)
      expect(await releaseInterruptedStarts(stage.service())).to.equal(1)
    }
    expect(await startMany(stage, tenantId, 1)).to.deep.equal(['INTERNAL_ERROR'])
    stage.provider.before = async () => {}
    expect(await countsOf(stage, tenantId)).to.deep.equal({ used: 0, reserved: 0, stored: 0, started: 0 })
  })
})

async function reserveOne(stage: Stage, tenantId: string): Promise<void> {
  const scope = stage.tenant(tenantId)
  await reserveStart(scope, newId(scope.now))
}

/** 100 interrupted starts for each tenant, in no order. */
async function reserveThousands(stage: Stage): Promise<void> {
  const reserve = `with reserved as (
      insert into start_reservation (id, tenant_id, month, created_at)
      select gen_random_uuid(), t.id, '2026-11-01', $1::timestamptz - random() * interval '1 second'
      from tenant t, generate_series(1, 100) returning tenant_id
    )
    insert into usage_month (tenant_id, month, used)
    select tenant_id, '2026-11-01', count(*) from reserved group by tenant_id
    on conflict (tenant_id, month) do update set used = usage_month.used + excluded.used`
  await stage.rows(reserve, [stage.clock()])
}

async function drain(service: Stage['service']): Promise<void> {
  while ((await releaseInterruptedStarts(service())) > 0);
}

function startMany(stage: Stage, tenantId: string, count: number): Promise<string[]> {
  return Promise.all(
    Array.from({ length: count }, () => codeOf(startVerification(stage.tenant(tenantId), {}))),
  )
}

async function codeOf(starting: Promise<unknown>): Promise<string> {
  try {
    await starting
    return 'started'
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

async function countsOf(stage: Stage, tenantId: string): Promise<unknown> {
  const [counts] = await stage.rows(
    `select coalesce((select sum(used) from usage_month where tenant_id = $1), 0)::int as used,
       (select count(*) from start_reservation where tenant_id = $1)::int as reserved,
       (select count(*) from verification where tenant_id = $1)::int as stored,
       coalesce((select sum(started) from usage_day where tenant_id = $1), 0)::int as started`,
    [tenantId],
  )
  return counts
}
