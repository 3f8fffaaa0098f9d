import { expect } from 'chai'
import { Registry } from 'prom-client'
import type { Scope } from '#domain/scope.ts'
import type { TaskLock } from '#server/background/task-lock.ts'
import { createTaskMetrics } from '#server/background/task-metrics.ts'
import { runTasks } from '#server/background/task-runner.ts'
import type { Task } from '#server/background/tasks.ts'
import { eventually } from '../harness/eventually.ts'
import { metricOf, seriesOf } from '../harness/metrics.ts'

describe('The metrics of background tasks', () => {
  const now = new Date('2026-11-20T12:00:00.000Z')
  const lastSuccess = 'age_verification_task_last_success_timestamp_seconds'

  async function run(
    task: Pick<Task, 'run'>,
    check: (registry: Registry) => Promise<void>,
    lock: TaskLock = (_, work) => work(),
  ): Promise<void> {
    const registry = new Registry()
    const tasks: Task[] = [{ name: 'example', intervalMs: 60_000, usesOwnClock: true, ...task }]
    const runner = runTasks({
      tasks,
      lock,
      scopeFor: () => ({ now, pool: { query: async () => ({ rows: [] }) } }) as unknown as Scope,
      log: { info() {}, warn() {} },
      onRun: createTaskMetrics(registry, tasks, () => now),
    })
    try {
      await check(registry)
    } finally {
      await runner.close()
    }
  }

  const runs = (registry: Registry, result: string) =>
    metricOf(registry, 'age_verification_task_duration_seconds_count', { task: 'example', result })

  it('have the runs that succeeded, their durations, and when the last one was', async () => {
    const due = [20, 20, 0]
    await run({ run: async () => due.shift() ?? 0 }, async registry => {
      await eventually(() => runs(registry, 'success'), { until: count => count === 3 })
      expect(await runs(registry, 'failure')).to.equal(0)
      expect(await metricOf(registry, lastSuccess)).to.equal(now.getTime() / 1_000)
    })
  })

  it('have the runs that failed, also for lack of the lock, and no success', async () => {
    const fail = () => Promise.reject(new Error('failed'))
    const check = async (registry: Registry) => {
      await eventually(() => runs(registry, 'failure'), { until: count => count === 1 })
      expect((await seriesOf(registry)).map(({ name }) => name)).not.to.include(lastSuccess)
    }
    await run({ run: fail }, check)
    await run({ run: async () => 0 }, check, fail)
  })
})
