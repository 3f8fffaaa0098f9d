import { expect } from 'chai'
import { createRetryTimers } from '#server/webhooks/queue/retry-timers.ts'
import { eventually } from '#test/harness/eventually.ts'

describe('the timers of retries', () => {
  it('wake the worker at once for a retry that is due already, as after a step of the clock, without a warning', async () => {
    const warnings: Error[] = []
    const record = (warning: Error) => void warnings.push(warning)
    process.on('warning', record)
    let wakeUps = 0
    const now = new Date('2026-01-01T00:01:00Z')
    const timers = createRetryTimers(
      () => {
        wakeUps += 1
      },
      () => now,
    )
    timers.schedule(new Date('2026-01-01T00:00:00Z'))
    await eventually(() => wakeUps === 1)
    timers.close()
    process.off('warning', record)
    expect(warnings).to.deep.equal([])
  })
})
