/** The program that generates load on a server, for one order after the other. */
import { closedLoop } from './closed-loop.ts'
import { complete, reportWaits, wait } from './long-poll.ts'
import { openLoop } from './open-loop.ts'
import type { Order } from './orders.ts'

process.on('message', async (order: Order | string) => {
  if (typeof order !== 'string') process.send!(await carryOut(order))
})

function carryOut(order: Order) {
  switch (order.kind) {
    case 'closed loop':
      return closedLoop(order)
    case 'open loop':
      return openLoop(order)
    case 'wait':
      return wait(order)
    case 'report':
      return reportWaits()
    case 'complete':
      return complete(order)
  }
}
