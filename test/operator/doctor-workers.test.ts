import { expect } from 'chai'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { claimDeliveries } from '#domain/webhook/claim-deliveries.ts'
import { recordOutcome } from '#domain/webhook/record-outcomes.ts'
import { recordTaskRun } from '#domain/worker/task-runs.ts'
import { describeWorkers } from '#operator/doctor/database-workers.ts'
import { useFixture } from '../domain/verification/fixture.ts'
import { startOne } from '../domain/verification/start-one.ts'

const secondMs = 1_000

describe('What operator doctor says of workers', () => {
  const fixture = useFixture('test')
  beforeEach(async () => {
    fixture.clock.set(new Date())
    await fixture.rows("delete from service_setting where name like 'task: %'")
  })

  const recordRun = (task = 'poll the provider') =>
    recordTaskRun(fixture.service().pool, { task, now: fixture.clock() })
  const describeNow = (): Promise<string> => describeWorkers(fixture.service().pool, fixture.clock, 0)
  const faultNow = async () => {
    const fault: Error = await describeNow().then(expect.fail, error => error)
    expect(fault.name).to.equal('Fault')
    return fault.message
  }

  async function complete(times: number): Promise<void> {
    const tenantId = await fixture.addTenant({ receivesEvents: true })
    for (let completed = 0; completed < times; completed++) {
      const one = await startOne(fixture, tenantId)
      await recordProviderResult(fixture.service(), one.result('approved'), { test: false })
    }
  }

  const claim = (limit: number) =>
    claimDeliveries(fixture.service().pool, fixture.clock(), { limit, perTenant: 8 })

  it('is a fault before one was started', async () => {
    const none =
      /^no worker runs: start a process with ROLE=worker or ROLE=all\. Until then no event is sent, .*; no event waits$/
    expect(await faultNow()).to.match(none)
    await recordRun()
    expect(await describeNow()).to.equal('a worker runs; no event waits')
  })

  it('is a fault while one is stopped, killed, frozen or cut off, which another one ends', async () => {
    await recordRun()
    fixture.clock.advance(39 * secondMs)
    expect(await describeNow()).to.match(/^a worker runs/)
    await complete(2)
    fixture.clock.advance(195 * secondMs)
    expect(await faultNow()).to.match(
      /^no worker has done anything for 4 min: .* start it again\. .*; 2 events wait, the oldest for 3 min since it was due \(/,
    )
    await recordRun()
    expect(await claim(2)).to.have.length(2)
    expect(await describeNow()).to.equal('a worker runs; no event waits')
  })

  it('is a fault if its last run is in a future that cannot be, as the clock was set back', async () => {
    await recordRun()
    fixture.clock.advance(-3_600 * secondMs)
    expect(await faultNow()).to.match(/^the last worker was here in the future: correct the clocks/)
  })

  it('is that it runs with a wrong clock, if that is an hour behind or ahead', async () => {
    for (const [hours, direction] of [
      [-1, 'behind'],
      [1, 'ahead of'],
    ] as const) {
      fixture.clock.advance(hours * 3_600 * secondMs)
      await recordRun()
      fixture.clock.set(new Date())
      expect(await faultNow()).to.equal(
        `a worker runs, but its clock is 60 min ${direction} PostgreSQL's: correct it`,
      )
    }
  })

  it('is a fault if one runs and sends nothing, not if a receiver is slow, or events wait for their retry', async () => {
    await complete(3)
    fixture.clock.advance(59 * secondMs)
    await recordRun()
    expect(await describeNow()).to.equal('a worker runs; 3 events wait, the oldest for 59 s since it was due')
    fixture.clock.advance(2 * secondMs)
    expect(await faultNow()).to.match(
      /^the worker sends nothing although 3 events wait, .* 61 s since it was due \(operator delivery stats says whose\): see its log/,
    )
    const claimed = await claim(2)
    expect(await describeNow()).to.match(/^a worker runs; 1 event waits, the oldest for 61 s /)
    fixture.clock.advance(9 * secondMs)
    expect(await faultNow(), 'the leases of a worker that was lost').to.match(
      /sends nothing although 1 event waits/,
    )
    const outcome = { result: 'failed', failure: 'timeout', attemptedAt: fixture.clock() } as const
    const dueAt = new Date(fixture.clock().getTime() + 60 * secondMs)
    claimed.push(...(await claim(1)))
    const { pool } = fixture.service()
    await Promise.all(claimed.map(each => recordOutcome(pool, { ...each, ...outcome, dueAt })))
    expect(await describeNow()).to.equal('a worker runs; 3 events wait for a retry')
  })

  it('is a fault if a task does not succeed for minutes, whatever tasks another version had', async () => {
    await recordRun('close expired verifications')
    await recordRun('a task of another version')
    fixture.clock.advance(129 * secondMs)
    await recordRun()
    expect(await describeNow()).to.match(/^a worker runs/)
    fixture.clock.advance(2 * secondMs)
    await recordRun()
    expect(await faultNow()).to.match(
      /^no run of "close expired verifications" has succeeded for minutes: the log of the worker says why /,
    )
    await recordRun('close expired verifications')
    expect(await describeNow()).to.match(/^a worker runs/)
  })
})
