import { type Command, Option } from 'commander'
import type { AnyOperatorScope, OperatorScope } from '#domain/scope.ts'
import { type Delivery, type DeliveryState, deliveryStates } from '#domain/webhook/delivery.entity.ts'
import { deliveryStatistics } from '#domain/webhook/delivery-statistics.ts'
import { listDeliveries } from '#domain/webhook/list-deliveries.ts'
import {
  forAnyTenant,
  type PageOptions,
  type PeriodOptions,
  readPage,
  readPeriod,
  withPage,
  withPeriod,
} from '../options.ts'
import { list, type Output, record, sections } from '../output.ts'
import type { Performers } from '../perform.ts'

interface ListOptions extends PageOptions, PeriodOptions {
  tenant?: string
  state?: DeliveryState
}

export function addCommands(noun: Command, { perform }: Performers): void {
  withAnyTenant(noun.command('stats'))
    .description('Count deliveries by state, and show the tenants that have unfinished or failed ones')
    .action(({ tenant: tenantId }: { tenant?: string }) =>
      perform(scope => showStatistics(forAnyTenant(scope, tenantId))),
    )
  withPage(withPeriod(withAnyTenant(noun.command('list'))))
    .description('List the deliveries of verifications completed in a period, newest first')
    .addOption(new Option('--state <state>', 'only those in this state').choices(deliveryStates))
    .addHelpText('after', listHelp)
    .action((options: ListOptions) => perform(scope => listPage(scope, options)))
}

const listHelp = `
Deliveries are stored for 24 hours after the completion. A failed one had three attempts, and has no further one: send
its tenant the verificationIds, to read with GET /verify/status.

Example:
  operator delivery list --state failed --from 2026-11-22T02:00:00Z --to 2026-11-22T08:00:00Z`

function withAnyTenant(command: Command): Command {
  return command.option('--tenant <id>', 'id of the tenant; default: all tenants')
}

async function showStatistics(scope: AnyOperatorScope): Promise<Output> {
  const { in_flight: inFlight, oldestDueAt, tenants, ...counts } = await deliveryStatistics(scope)
  const { new: added, waiting, delivered, failed } = counts
  const overdueMs = oldestDueAt ? Math.max(0, scope.now.getTime() - oldestDueAt.getTime()) : 0
  const totals = {
    new: added,
    waiting,
    inFlight,
    delivered,
    failed,
    oldestDueAt,
    overdueSeconds: Math.floor(overdueMs / 1000),
  }
  return sections({ ...totals, tenants }, [
    record(totals),
    list(tenants, 'No tenant has unfinished or failed deliveries.'),
  ])
}

async function listPage(scope: OperatorScope, options: ListOptions): Promise<Output> {
  const { tenant, state } = options
  const request = { ...readPage(options), ...readPeriod(options), state }
  const { items, nextCursor } = await listDeliveries(forAnyTenant(scope, tenant), request)
  return list(items.map(present), 'There are no such deliveries.', nextCursor)
}

function present({ verificationId, tenantId, status, state, attempts, ...delivery }: Delivery) {
  const { createdAt, attemptedAt, failure, dueAt } = delivery
  const isDue = state === 'new' || state === 'waiting'
  return {
    verificationId,
    tenantId,
    status,
    state,
    attempts,
    createdAt,
    lastAttemptAt: attemptedAt,
    failure,
    nextAttemptAt: isDue ? dueAt : null,
  }
}
