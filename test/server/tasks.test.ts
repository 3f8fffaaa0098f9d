import { setTimeout as timer, setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import type { Scope } from '#domain/scope.ts'
import { runTasks, type TaskRunner } from '#server/background/task-runner.ts'
import { type Task, tasks } from '#server/background/tasks.ts'

describe('background tasks', () => {
  let runner: TaskRunner
  afterEach(() => runner.close())

  it('take batch after batch while rows are due, and then wait', async () => {
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

  it('look at once when they are woken, each of them', async () => {
    const runs = [0, 0]
    run(
      task(async () => nothing(runs[0]!++)),
      task(async () => nothing(runs[1]!++)),
    )
    await until(() => runs[0] === 1 && runs[1] === 1)
    await turns()
    expect(runs).to.deep.equal([1, 1])
    runner.wake()
    await until(() => runs[0] === 2 && runs[1] === 2)
  })

  it('do not miss work that arrives while they are looking', async () => {
    const first = Promise.withResolvers<number>()
    let runs = 0
    run(task(() => (runs++ === 0 ? first.promise : Promise.resolve(0))))
    await until(() => runs === 1)
    runner.wake()
    first.resolve(0)
    await until(() => runs === 2)
  })

  it('go on when one of them fails, which is tried again and says so once', async () => {
    let failures = 0
    let healthy = 0
    const failing = task(async () => {
      if (failures === 3) return 0
      failures++
      throw new Error('database away')
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
    expect(messages).to.deep.equal([
      'A background task failed; it is tried again',
      'A background task works again',
    ])
  })

  it('survive a scope that can’t be made', async () => {
    let made = 0
    runner = runTasks(
      [task(async () => 0)],
      () => {
        made++
        throw new Error('no scope')
      },
      log,
    )
    await until(() => made === 1)
    await turns()
    runner.wake()
    await until(() => made === 2)
  })

  it('finish the batch in hand before they are closed, and take no other', async () => {
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
    const closing = runner.close().then(() => {
      isClosed = true
    })
    await turns()
    expect(isClosed).to.equal(false)
    batch.resolve(7)
    await closing
    expect(runs).to.equal(1)
  })

  it('are not waited for any longer than a process has to end', async () => {
    const endless = task(() => new Promise(() => {}))
    runner = runTasks([endless], () => ({}) as Scope, log, 1)
    await runner.close()
  })

  it('keep nothing in memory of the times that they waited for nothing', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    const used = () => {
      collectGarbage()
      return process.memoryUsage().heapUsed
    }
    let waits = 0
    const restless = { name: 'restless', everyMs: 0, run: async () => nothing(waits++) }
    run(...Array.from({ length: 100 }, () => restless))
    await timedUntil(() => waits >= 2_000)
    const before = used()
    await timedUntil(() => waits >= 22_000)
    expect(used() - before).to.be.lessThan(2_000_000)
  })

  it('are closed at once when nothing was due, however long they would have waited', async () => {
    const looking = Promise.withResolvers<number>()
    let runs = 0
    run(
      task(() => {
        runs++
        return looking.promise
      }),
    )
    await until(() => runs === 1)
    const closing = runner.close()
    looking.resolve(0)
    const outcome = await Promise.race([closing.then(() => 'closed'), turns().then(() => 'still waiting')])
    expect(outcome).to.equal('closed')
  })

  it('notice within 90 s what became due while the service was down', () => {
    runner = runTasks([], () => ({}) as Scope, log)
    for (const { name, everyMs } of tasks) expect(everyMs, name).to.be.within(1_000, 60_000)
    expect(tasks.find(({ name }) => name === 'ask the provider')?.everyMs).to.be.at.most(30_000)
  })

  const messages: string[] = []
  const log = {
    info: (_: unknown, message: string) => void messages.push(message),
    warn: (_: unknown, message: string) => void messages.push(message),
  }
  beforeEach(() => void messages.splice(0))

  function run(...all: Task[]): void {
    runner = runTasks(all, () => ({}) as Scope, log)
  }
})

function task(work: Task['run']): Task {
  return { name: 'a task', everyMs: 3_600_000, run: work }
}

function nothing(_count: number): number {
  return 0
}

/** Gives way to the event loop until the condition holds; fails where it waits for a timer. */
async function until(condition: () => boolean): Promise<void> {
  for (let count = 0; !condition(); count++) {
    if (count > 1_000) expect.fail('it did not happen by itself')
    await turn()
  }
}

/** The same for what waits for timers of its own. */
async function timedUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await timer(1)
}

/** Time enough for everything that does not wait for a timer. */
async function turns(): Promise<void> {
  for (let count = 0; count < 50; count++) await turn()
}
