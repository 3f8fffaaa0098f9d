import { Gauge, Histogram, type Registry } from 'prom-client'
import type { Clock } from '#domain/ports.ts'
import type { TaskRun } from './task-runner.ts'

/** Returns the function that counts a run of one of the tasks. */
export function createTaskMetrics(
  registry: Registry,
  tasks: readonly { name: string }[],
  clock: Clock,
): (run: TaskRun) => void {
  const registers = [registry]
  const durations = new Histogram({
    name: 'age_verification_task_duration_seconds',
    help: 'Seconds that runs of background tasks took in this process, by task and result',
    labelNames: ['task', 'result'],
    buckets: [0.01, 0.05, 0.25, 1, 5, 15, 60],
    registers,
  })
  const lastSuccess = new Gauge({
    name: 'age_verification_task_last_success_timestamp_seconds',
    help: 'When a background task last succeeded in this process; none before its first run',
    labelNames: ['task'],
    registers,
  })
  for (const { name: task } of tasks) {
    for (const result of ['success', 'failure'] satisfies TaskRun['result'][])
      durations.zero({ task, result })
  }
  return ({ task, result, durationMs }) => {
    durations.observe({ task, result }, durationMs / 1_000)
    if (result === 'success') lastSuccess.set({ task }, clock().getTime() / 1_000)
  }
}
