import { expect } from 'chai'
import { DomainError } from '#domain/errors.ts'
import { getVerificationStatus } from '#domain/verification/get-verification-status.ts'
import { runTasks } from '#server/background/task-runner.ts'
import { tasks } from '#server/background/tasks.ts'
import { createWorkerLeases } from '#server/background/worker-leases.ts'
import { dayMs, type Process, useFixture } from '#test/domain/verification/fixture.ts'
import { type OneVerification, startOne } from '#test/domain/verification/start-one.ts'

describe('The background tasks on the database', () => {
  const fixture = useFixture('test')
  let tenantId: string
  beforeEach(async () => {
    tenantId = await fixture.addTenant()
  })

  it('recover in two processes after all connections were lost, and close each verification once', async () => {
    const other = await fixture.openProcess()
    const all = await Promise.all(Array.from({ length: 50 }, () => startOne(fixture, tenantId)))
    fixture.clock.advance(8 * dayMs)
    const runners = [fixture, other].map(process => startTasks(process))
    await fixture.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
    fixture.clock.advance(30_000)
    for (const runner of runners) runner.wake()
    await completionAfterLostConnections(all, () => {
      fixture.clock.advance(1_000)
      for (const runner of runners) runner.wake()
    })
    await Promise.all(runners.map(runner => runner.close()))
    const [counts] = await fixture.rows(
      `select count(*)::int as deliveries, count(distinct verification_id)::int as verifications from delivery`,
    )
    expect(counts).to.deep.equal({ deliveries: 50, verifications: 50 })
  })

  /** Polls until all of them are completed; mocha's timeout ends it otherwise. */
  async function completionAfterLostConnections(
    all: OneVerification[],
    meanwhile: () => void,
  ): Promise<void> {
    for (const one of all) while (!(await isCompleted(one).catch(ifConnectionLost))) meanwhile()
  }

  async function isCompleted({ verificationId }: OneVerification): Promise<boolean> {
    const { completedAt } = await getVerificationStatus(fixture.tenant(tenantId), verificationId)
    return completedAt !== null
  }
})

function startTasks({ service }: Process) {
  const { pool, clock } = service()
  return runTasks({ tasks, leases: createWorkerLeases(pool, clock), scopeFor: service, log: quiet })
}

/** The pool notices a lost connection only when its socket is closed, which may be after a read on it. */
function ifConnectionLost(error: unknown): false {
  if (error instanceof DomainError && error.code === 'DATABASE_ERROR') return false
  throw error
}

const quiet = { info() {}, warn() {} }
