import type { Benchmark } from '../benchmark.ts'
import { serviceProcess } from '../fixture/service-process.ts'
import type { OpenLoopOrder, OpenLoopReport } from '../load/orders.ts'
import { mixedRequests } from './mixed-requests.ts'

const rateDefault = 300

export const soak: Benchmark = {
  name: 'soak',
  description:
    'Memory and latency of a process over half an hour at a steady rate: one start to three look-ups of a status.\n' +
    `The rate is --rate, or ${rateDefault} requests a second; memory is that after a garbage collection.`,
  isUsual: false,
  rounds: 30,
  seconds: 60,
  async prepare(context) {
    const { seconds, rate: perSecond = rateDefault } = context.options
    const service = await context.start(serviceProcess(context, { flags: ['--expose-gc'] }))
    const load = context.startLoad()
    const clients = [{ requests: await mixedRequests(context.fixture), perSecond, connections: 200 }]
    const order: OpenLoopOrder = { kind: 'open loop', origin: service.origin, seconds, clients }
    return async number => {
      const [report] = await load.request<OpenLoopReport[]>(order)
      const { due, served, rejected, failed, p99Ms } = report!
      return {
        [`round ${number}`]: {
          due,
          served,
          rejected,
          failed,
          'p99 ms': p99Ms ?? undefined,
          ...(await service.memory()),
        },
      }
    }
  },
}
