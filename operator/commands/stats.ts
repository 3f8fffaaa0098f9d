import type { Command } from 'commander'
import type { OperatorScope } from '#domain/scope.ts'
import { serviceStatistics } from '#domain/usage/service-statistics.ts'
import { countWaiting } from '#domain/webhook/count-waiting.ts'
import { type Output, record } from '../output.ts'
import type { Performers } from '../perform.ts'

export function addCommands(noun: Command, { perform }: Performers): void {
  noun.action(() => perform(show))
}

async function show(scope: OperatorScope): Promise<Output> {
  const counted = await serviceStatistics(scope)
  const { waiting, overdueMs } = await countWaiting(scope.pool, scope.now)
  return record({
    ...counted,
    waitingDeliveries: waiting,
    overdueDeliverySeconds: Math.floor(overdueMs / 1000),
  })
}
