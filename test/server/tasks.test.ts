import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import type { Scope } from '#domain/scope.ts'
import type { TaskLock } from '#server/background/task-lock.ts'
import { runTasks } from '#server/background/task-runner.ts'
import type { Task } from '#server/background/tasks.ts'

describe('Background tasks', () => {
  let runner: ReturnType<typeof runTasks>
  afterEach(() => runner.close())

  it('process batch after batch while rows are due, and then wait', async () => {
    let left = 5
    const runs: number[] = []
    run(
      task(async () => {
        runs.push(left)
        return left > 0 ? left-- : 0
      }),
    )
    await until(() => runs.length === 6)
    await turns()
    expect(runs).to.deep.equal([5, 4, 3, 2, 1, 0])
  })

  it('run immediately when they are woken: all, or those of one kind of work', async () => {
    const runs = [0, 0]
    run(
      task(async () => nothing(runs[0]!++)),
      { ...task(async () => nothing(runs[1]!++)), wokenBy: 'polling' },
    )
    for (const [wake, expected] of [
      [() => {}, [1, 1]],
      [() => runner.wake('polling'), [1, 2]],
      [() => runner.wake(), [2, 3]],
    ] as const) {
      wake()
      await until(() => runs[0]! >= expected[0] && runs[1]! >= expected[1])
      await turns()
      expect(runs).to.deep.equal(expected)
    }
  })

  it('are left to the worker that is at them, unless they are shared', async () => {
    const runs = [0, 0]
    const tasks: Task[] = [
      task(async () => nothing(runs[0]!++)),
      { ...task(async () => nothing(runs[1]!++)), isShared: true },
    ]
    runner = runTasks({ tasks, lock: foreignLock, scopeFor, log })
    await until(() => runs[1] === 1)
    await turns()
    expect(runs).to.deep.equal([0, 1])
  })

  it('do not miss a wake-up that arrives during a run', async () => {
    const first = Promise.withResolvers<number>()
    let runs = 0
    run(task(() => (runs++ === 0 ? first.promise : Promise.resolve(0))))
    await until(() => runs === 1)
    runner.wake()
    first.resolve(0)
    await until(() => runs === 2)
  })

  it('continue when one of them fails, which is retried and logged once', async () => {
    let failures = 0
    let healthy = 0
    const failing = task(async () => {
      if (failures === 3) return 0
      failures++
      throw new Error('database unavailable')
    })
    run(
      failing,
      task(async () => nothing(healthy++)),
    )
    for (const round of [1, 2, 3]) {
      await until(() => failures === round && healthy >= round)
      await turns()
      runner.wake()
    }
    await until(() => messages.length === 2)
    expect(messages).to.deep.equal(['Background task failed; retrying', 'Background task recovered'])
  })

  it('finish the batch in progress when they are closed, and start no other', async () => {
    const batch = Promise.withResolvers<number>()
    let runs = 0
    let isClosed = false
    run(
      task(() => {
        runs++
        return batch.promise
      }),
    )
    await until(() => runs === 1)
    void runner.close().then(() => {
      isClosed = true
    })
    await turns()
    expect(isClosed).to.equal(false)
    batch.resolve(7)
    await until(() => isClosed)
    expect(runs).to.equal(1)
  })

  it('delete by the earlier of two clocks, and nothing while these differ by more than five minutes', async () => {
    const minuteMs = 60_000
    const dayMs = 1_440 * minuteMs
    const deletedAt: number[] = []
    const { usesOwnClock: _, ...deletion } = task(async ({ now }) => nothing(deletedAt.push(now.getTime())))
    run(deletion)
    await until(() => deletedAt.length === 1)
    await turns()
    const startMs = ownMs
    for (const [aheadMs, expectedMs] of [
      [0, 0],
      [4 * minuteMs, 0],
      [-4 * minuteMs, -4 * minuteMs],
    ] as const) {
      ownMs = startMs + aheadMs
      deletedAt.length = 0
      runner.wake()
      await until(() => deletedAt.length === 1)
      expect(deletedAt).to.deep.equal([startMs + expectedMs])
      await turns()
    }
    for (const aheadMs of [500 * dayMs, -500 * dayMs, 6 * minuteMs]) {
      ownMs = startMs + aheadMs
      deletedAt.length = 0
      runner.wake()
      await turns()
      expect(deletedAt).to.deep.equal([])
    }
    expect(messages).to.deep.equal(['Background task failed; retrying'])
    ownMs = startMs
    runner.wake()
    await until(() => deletedAt.length === 1)
  })

  const messages: string[] = []
  const log = {
    info: (_: unknown, message: string) => void messages.push(message),
    warn: (_: unknown, message: string) => void messages.push(message),
  }
  beforeEach(() => {
    messages.splice(0)
  })

  function run(...all: Task[]): void {
    runner = runTasks({ tasks: all, lock: ownLock, scopeFor, log })
  }
})

const serverMs = Date.now()
/** What the clock of the process says. */
let ownMs = serverMs
const pool = { query: async () => ({ rows: [{ now: new Date(serverMs) }] }) }
const scopeFor = () => ({ now: new Date(ownMs), clock: () => new Date(ownMs), pool }) as unknown as Scope

const ownLock: TaskLock = (_, work) => work()

/** While another worker is at every task. */
const foreignLock: TaskLock = async () => undefined

function task(work: Task['run']): Task {
  return { name: 'a task', intervalMs: 3_600_000, usesOwnClock: true, run: work }
}

function nothing(_count: number): number {
  return 0
}

/** Yields to the event loop until the condition is true; fails if that needs a timer. */
async function until(condition: () => boolean): Promise<void> {
  for (let count = 0; !condition(); count++) {
    if (count > 1_000) expect.fail('the condition did not become true without a timer')
    await turn()
  }
}

/** Enough turns of the event loop for everything that needs no timer. */
async function turns(): Promise<void> {
  for (let count = 0; count < 50; count++) await turn()
}
