import type { Fault, PlannedFault } from '../chaos/faults/fault.ts'
import { failOver, switchOver, ways } from '../chaos/faults/postgres.ts'
import { planInTurn } from '../chaos/plan.ts'
import type { Topology } from '../chaos/system/topology.ts'
import { haproxy } from '../harness/engines/haproxy.ts'
import { redisServer } from '../harness/engines/redis.ts'
import { describeWith } from '../harness/system-program.ts'
import { runPlan } from './run-plan.ts'

/**
 * The primary comes back as a standby behind the address that clients know. Nothing may be read from it, and it becomes
 * the primary again.
 */
const returnAsStandby: Fault = {
  name: 'return as a standby',
  lane: 'database',
  weight: 0,
  lastsMs: [0, 0],
  effects: ['database', 'delay'],
  async begin({ system: { database } }) {
    database.addressed = database.primary
    await database.primary.stop()
    await database.promoteStandby()
    await database.followPrimary()
  },
  async heal({ system: { database } }) {
    await database.primary.stop()
    await database.promoteStandby()
    database.addressed = undefined
  },
  settle: ({ system }) => system.database.followPrimary(),
}

type Step = Pick<PlannedFault, 'fault' | 'variant'>

const after = (way: (typeof ways)[number]): Step => ({ fault: failOver, variant: ways.indexOf(way) })
const switched: Step = { fault: switchOver, variant: 0 }

const plans: Record<Topology, Step[]> = {
  haproxy: [switched, ...ways.map(after)],
  address: [switched, ...ways.map(after), { fault: returnAsStandby, variant: 0 }],
}

describeWith([redisServer, haproxy], 'A service whose PostgreSQL primary fails, reached by', function () {
  this.timeout(300_000)

  for (const [topology, steps] of Object.entries(plans)) {
    it(`${topology}, works again soon after the promotion, and has lost nothing`, async () => {
      // The manager needs two seconds to decide.
      const plan = planInTurn(...steps.map(step => ({ ...step, lastsMs: 2_000 })))
      await runPlan({ plan, topology: topology as Topology, roles: ['api', 'worker'] })
    })
  }
})
