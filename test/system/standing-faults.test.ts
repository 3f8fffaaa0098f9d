import type { Fault } from '../chaos/faults/fault.ts'
import { networkFaults } from '../chaos/faults/network.ts'
import { freezeProcess } from '../chaos/faults/processes.ts'
import { planInTurn } from '../chaos/plan.ts'
import { redisServer } from '../harness/engines/redis.ts'
import { eventually } from '../harness/eventually.ts'
import { describeWith } from '../harness/system-program.ts'
import { runPlan } from './run-plan.ts'

/** More than are under way when a fault begins. */
const eventsMin = 20
/** Another worker has the tasks and deliveries of one that is silent within 40 s. */
const progressMsMax = 60_000

/** Ends once events go on to arrive. */
const staying = (fault: Fault): Fault => ({
  ...fault,
  async heal(run, planned) {
    const { attempts } = run.system.receivers
    const before = attempts.length
    await eventually(() => attempts.length >= before + eventsMin, { timeoutMs: progressMsMax }).catch(error =>
      run.violations.add('Events go on to arrive while a fault stays', String(error)),
    )
    await fault.heal?.(run, planned)
  },
})

const cutOneWay = networkFaults.find(({ name }) => name === 'network to PostgreSQL one-way')!

/** The first two processes serve the API, and the next two are workers. */
const plan = planInTurn(
  ...[
    { fault: freezeProcess, target: 2 },
    { fault: freezeProcess, target: 3 },
    { fault: cutOneWay, target: 2, variant: 1 },
  ].map(({ fault, ...more }) => ({ ...more, fault: staying(fault), lastsMs: 5_000 })),
)

describeWith([redisServer], 'A service of which a worker hangs, or is cut off from PostgreSQL', function () {
  this.timeout(600_000)

  it('goes on with everything, for as long as that stays', async () => {
    await runPlan({ plan, roles: ['api', 'api', 'worker', 'worker'] })
  })
})
