import { expect } from 'chai'
import pg from 'pg'
import type { StatementPool } from '#domain/database/statement.ts'
import type { Scope } from '#domain/scope.ts'
import { runTasks } from '#server/background/task-runner.ts'
import type { Task } from '#server/background/tasks.ts'
import { createWorkerLeases } from '#server/background/worker-leases.ts'
import { createTestDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { createTestClock } from '../harness/test-clock.ts'
import { useOpened } from '../harness/use-opened.ts'
import { queryIn } from './query-in.ts'

describe('The leases of workers', () => {
  const database = useOpened(createTestDatabase)
  let pool: pg.Pool
  before(async () => {
    pool = new pg.Pool({ connectionString: database.url, max: 4 })
    pool.on('error', () => {})
  })
  beforeEach(() => pool.query('delete from lease'))
  after(() => pool.end())

  it('are owned by one worker at a time, and renewed by it', async () => {
    const clock = createTestClock()
    const workers = Array.from({ length: 5 }, () => createWorkerLeases(pool, clock))
    const acquired = await Promise.all(workers.map(worker => worker.acquire('a task', 10_000)))
    expect(acquired.filter(({ isOwn }) => isOwn)).to.have.lengthOf(1)
    const owner = workers[acquired.findIndex(({ isOwn }) => isOwn)]!
    clock.advance(9_999)
    await pool.query('select pg_sleep(1)')
    expect(await owner.acquire('a task', 10_000)).to.deep.equal({
      isOwn: true,
      expiresAt: new Date(clock().getTime() + 10_000),
    })
    clock.advance(1)
    expect((await createWorkerLeases(pool, clock).acquire('a task', 10_000)).isOwn).to.equal(false)
  })

  it('are taken over when they have expired, were released, or are from before the clock was set back', async () => {
    const clock = createTestClock()
    const acquire = async () => {
      const worker = createWorkerLeases(pool, clock)
      expect((await worker.acquire('a task', 10_000)).isOwn).to.equal(true)
      return worker
    }
    await acquire()
    clock.advance(10_000)
    const second = await acquire()
    await second.release()
    await acquire()
    clock.advance(-60 * 60_000)
    await acquire()
  })

  it('let one of ten workers look for work, and another one when that was killed', async () => {
    const clock = createTestClock()
    const runs: number[] = []
    const runnerOf = (index: number, connections: StatementPool) => {
      const run = async () => {
        runs.push(index)
        return 0
      }
      return startRunner(run, connections, clock)
    }
    let isKilled = false
    // A killed worker sends nothing any more, and releases nothing.
    const killable: StatementPool = {
      query: statement => (isKilled ? new Promise(() => {}) : pool.query(statement)),
    }
    const first = runnerOf(0, killable)
    await eventually(() => runs.length >= 3)
    const others = Array.from({ length: 9 }, (_, index) => runnerOf(index + 1, pool))
    await eventually(() => runs.length >= 10)
    expect(new Set(runs)).to.deep.equal(new Set([0]))
    isKilled = true
    clock.advance(20_000)
    for (const runner of others) runner.wake()
    await eventually(() => runs.some(index => index !== 0))
    await Promise.all([...others, first].map(runner => runner.close()))
  })

  it('are acquired again, and tasks run again, after all connections were lost', async () => {
    let runs = 0
    const run = async () => {
      await pool.query('select')
      runs += 1
      return 0
    }
    const runner = startRunner(run, pool, createTestClock())
    await eventually(() => runs >= 3)
    const terminated = await queryIn(
      database.url,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    expect(terminated).not.to.deep.equal([])
    const before = runs
    await eventually(() => runs >= before + 3)
    await runner.close()
  })
})

function startRunner(run: Task['run'], connections: StatementPool, clock: () => Date) {
  const task: Task = { name: 'a task', intervalMs: 20, run }
  const scopeFor = () => ({ now: clock() }) as Scope
  const leases = createWorkerLeases(connections, clock)
  return runTasks({ tasks: [task], leases, scopeFor, log: { info() {}, warn() {} } })
}
