import { expect } from 'chai'
import { DomainError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { ProviderUnavailable } from '#domain/ports.ts'
import { releaseInterruptedStarts } from '#domain/verification/release-starts.ts'
import { reserveStart } from '#domain/verification/reserve-start.ts'
import { startVerification } from '#domain/verification/start-verification.ts'
import { rejected } from '../administration/rejected.ts'
import { type Fixture, type Limits, minuteMs, useFixture } from '../verification/fixture.ts'
import { unavailable } from '../verification/scripted-provider.ts'
import { afterStatement } from '../verification/with-query.ts'

describe('The monthly quota', () => {
  const fixture = useFixture()
  beforeEach(() => {
    fixture.provider.before = async () => {}
    fixture.clock.set(new Date('2026-11-20T12:00:00.000Z'))
  })

  const cases: [limits: Limits, admitted: number, error: string][] = [
    [{ monthlyQuota: 0, hardLimit: 5, overage: false }, 0, 'QUOTA_EXCEEDED'],
    [{ monthlyQuota: 1, hardLimit: 5, overage: false }, 1, 'QUOTA_EXCEEDED'],
    [{ monthlyQuota: 7, hardLimit: 50, overage: false }, 7, 'QUOTA_EXCEEDED'],
    [{ monthlyQuota: 3, hardLimit: 12, overage: true }, 12, 'HARD_LIMIT_EXCEEDED'],
    [{ monthlyQuota: 15, hardLimit: 9, overage: false }, 9, 'HARD_LIMIT_EXCEEDED'],
    [{ monthlyQuota: 5, hardLimit: 0, overage: true }, 0, 'HARD_LIMIT_EXCEEDED'],
  ]
  for (const [limits, admitted, error] of cases) {
    const title = `quota ${limits.monthlyQuota}, ceiling ${limits.hardLimit}${limits.overage ? ', overage' : ''}`
    it(`admits exactly ${admitted} of 20 concurrent starts (${title})`, async () => {
      const tenantId = await fixture.addTenant({ limits })
      const responses = await startMany(fixture, tenantId, 20)
      expect(responses.filter(response => response === 'started')).to.have.length(admitted)
      expect(responses.filter(response => response === error)).to.have.length(20 - admitted)
      expect(await fixture.countStarts(tenantId)).to.deep.equal({
        used: admitted,
        reserved: 0,
        stored: admitted,
        started: admitted,
      })
    })
  }

  it('gets back exactly what failed starts used, with others running concurrently', async () => {
    const tenantId = await fixture.addTenant({ limits: { monthlyQuota: 10, hardLimit: 20, overage: false } })
    fixture.provider.before = async call => {
      if (call % 3 === 0) throw new ProviderUnavailable('unreachable', 'unavailable')
    }
    const responses = await startMany(fixture, tenantId, 20)
    const started = responses.filter(response => response === 'started').length
    expect(new Set(responses)).to.deep.equal(new Set(['started', 'INTERNAL_ERROR', 'QUOTA_EXCEEDED']))
    expect(await fixture.countStarts(tenantId)).to.deep.equal({
      used: started,
      reserved: 0,
      stored: started,
      started,
    })
    fixture.provider.before = async () => {}
    await startMany(fixture, tenantId, 20)
    expect(await fixture.countStarts(tenantId)).to.include({ used: 10, stored: 10, started: 10 })
  })

  it('throws HARD_LIMIT_EXCEEDED at the hard limit, even if another start has just been released', async () => {
    const tenantId = await fixture.addTenant({ limits: { monthlyQuota: 1, hardLimit: 1, overage: true } })
    await startMany(fixture, tenantId, 1)
    const racing = afterStatement(fixture.tenant(tenantId), 'reserve-start', () =>
      fixture.rows('update usage_month set used = 0 where tenant_id = $1', [tenantId]),
    )
    const error = await rejected(startVerification(racing, {}), 'HARD_LIMIT_EXCEEDED')
    expect(error.details).to.include({ limit: 1, used: 1 })
  })

  it('reports when the UTC month ends, and how many seconds are left', async () => {
    const tenantId = await fixture.addTenant({ limits: { monthlyQuota: 0, hardLimit: 5, overage: false } })
    for (const [time, resetsAt, retryAfterSeconds] of [
      ['2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00.000Z', 1],
      ['2026-11-30T23:59:00.000Z', '2026-12-01T00:00:00.000Z', 60],
      ['2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z', 31 * 86_400],
      ['2028-02-28T00:00:00.000Z', '2028-03-01T00:00:00.000Z', 2 * 86_400],
      ['2026-12-31T00:00:00.500Z', '2027-01-01T00:00:00.000Z', 86_400],
    ] as const) {
      fixture.clock.set(new Date(time))
      const error = await startVerification(fixture.tenant(tenantId), {}).catch(error => error)
      expect(error.details, time).to.deep.equal({ limit: 0, used: 0, resetsAt, retryAfterSeconds })
    }
  })

  it('resets with the UTC month, and only then', async () => {
    const tenantId = await fixture.addTenant({ limits: { monthlyQuota: 2, hardLimit: 5, overage: false } })
    fixture.clock.set(new Date('2026-11-30T23:59:59.000Z'))
    expect(await startMany(fixture, tenantId, 3)).to.have.members(['started', 'started', 'QUOTA_EXCEEDED'])
    fixture.clock.set(new Date('2026-11-30T23:59:59.999Z'))
    expect(await startMany(fixture, tenantId, 1)).to.deep.equal(['QUOTA_EXCEEDED'])
    fixture.clock.set(new Date('2026-12-01T00:00:00.000Z'))
    expect(await startMany(fixture, tenantId, 3)).to.have.members(['started', 'started', 'QUOTA_EXCEEDED'])
    const months = await fixture.rows(
      'select month::text, used from usage_month where tenant_id = $1 order by month',
      [tenantId],
    )
    expect(months).to.deep.equal([
      { month: '2026-11-01', used: 2 },
      { month: '2026-12-01', used: 2 },
    ])
    const days = await fixture.rows(
      'select day::text, started from usage_day where tenant_id = $1 order by day',
      [tenantId],
    )
    expect(days).to.deep.equal([
      { day: '2026-11-30', started: 2 },
      { day: '2026-12-01', started: 2 },
    ])
  })

  it('is returned to the month in which it was used', async () => {
    const tenantId = await fixture.addTenant()
    fixture.clock.set(new Date('2026-11-30T23:59:59.999Z'))
    fixture.provider.before = async () => {
      fixture.clock.set(new Date('2026-12-01T00:00:05.000Z'))
      await unavailable()
    }
    expect(await startMany(fixture, tenantId, 1)).to.deep.equal(['INTERNAL_ERROR'])
    expect(await fixture.countStarts(tenantId)).to.include({ used: 0, reserved: 0, stored: 0 })
  })
})

describe('Interrupted starts', () => {
  const fixture = useFixture()

  it('return their quota once, with any number of workers', async () => {
    const workers = [fixture, await fixture.openProcess(), await fixture.openProcess()]
    await fixture.addTenant()
    await fixture.rows(
      `insert into tenant (id, name, plan_name, subscription, created_at, test)
       select gen_random_uuid(), name, plan_name, subscription, created_at, test from tenant, generate_series(1, 19)`,
    )
    for (let round = 0; round < 2; round++) {
      await reserveThousands(fixture)
      fixture.clock.advance(minuteMs + 1)
      await Promise.all(workers.flatMap(worker => [1, 2].map(() => drain(worker.service))))
      const left = await fixture.rows('select from start_reservation')
      const used = await fixture.rows('select used from usage_month where used <> 0')
      expect([left.length, used.length]).to.deep.equal([0, 0])
    }
  })

  it('are not released for a minute, in which they may still be running', async () => {
    const tenantId = await fixture.addTenant()
    await reserveOne(fixture, tenantId)
    fixture.clock.advance(minuteMs)
    expect(await releaseInterruptedStarts(fixture.service())).to.equal(0)
    fixture.clock.advance(1)
    expect(await releaseInterruptedStarts(fixture.service())).to.equal(1)
    expect(await releaseInterruptedStarts(fixture.service())).to.equal(0)
    expect(await fixture.countStarts(tenantId)).to.include({ used: 0, reserved: 0 })
  })

  it('store nothing if they continue after their quota was returned', async () => {
    const tenantId = await fixture.addTenant()
    fixture.provider.before = async () => {
      fixture.clock.advance(minuteMs + 1)
      expect(await releaseInterruptedStarts(fixture.service())).to.equal(1)
    }
    expect(await startMany(fixture, tenantId, 1)).to.deep.equal(['INTERNAL_ERROR'])
    fixture.provider.before = async () => {}
    expect(await fixture.countStarts(tenantId)).to.deep.equal({ used: 0, reserved: 0, stored: 0, started: 0 })
  })
})

async function reserveOne(fixture: Fixture, tenantId: string): Promise<void> {
  const scope = fixture.tenant(tenantId)
  await reserveStart(scope, newId(scope.now))
}

/** 100 interrupted starts for each tenant, in no order. */
async function reserveThousands(fixture: Fixture): Promise<void> {
  const reserve = `with reserved as (
      insert into start_reservation (id, tenant_id, month, created_at)
      select gen_random_uuid(), t.id, '2026-11-01', $1::timestamptz - random() * interval '1 second'
      from tenant t, generate_series(1, 100) returning tenant_id
    )
    insert into usage_month (tenant_id, month, used)
    select tenant_id, '2026-11-01', count(*) from reserved group by tenant_id
    on conflict (tenant_id, month) do update set used = usage_month.used + excluded.used`
  await fixture.rows(reserve, [fixture.clock()])
}

async function drain(service: Fixture['service']): Promise<void> {
  while ((await releaseInterruptedStarts(service())) > 0);
}

function startMany(fixture: Fixture, tenantId: string, count: number): Promise<string[]> {
  return Promise.all(
    Array.from({ length: count }, () => codeOf(startVerification(fixture.tenant(tenantId), {}))),
  )
}

async function codeOf(starting: Promise<unknown>): Promise<string> {
  try {
    await starting
    return 'started'
  } catch (error) {
    if (error instanceof DomainError) return error.code
    throw error
  }
}
