import type { Command } from 'commander'
import { listAuditEvents } from '#domain/audit/list-audit-events.ts'
import { forTenant, type OperatorScope } from '#domain/scope.ts'
import {
  forAnyTenant,
  type PageOptions,
  type PeriodOptions,
  readPage,
  readPeriod,
  withPage,
  withPeriod,
} from '../options.ts'
import { list, type Output, type Streamed } from '../output.ts'
import type { Performers } from '../perform.ts'
import { type ExportedAuditEvent, exportAuditEvents } from '../queries/export-audit-events.ts'
import { listServiceAuditEvents } from '../queries/list-service-audit-events.ts'

interface AnyTenantOptions {
  tenant?: string
}

export function addCommands(noun: Command, { perform }: Performers): void {
  withPage(noun.command('list'))
    .description(
      'List the changes of one tenant, or those of no tenant (plans, signing keys, encryption keys), newest first',
    )
    .option('--tenant <id>', 'id of the tenant; default: changes of no tenant; `audit export` has all')
    .action((options: PageOptions & AnyTenantOptions) => perform(scope => listPage(scope, options)))
  withPeriod(noun.command('export'))
    .description(
      'Print all changes, oldest first, as JSON Lines: those of each tenant and of none, or of one tenant',
    )
    .option('--tenant <id>', 'id of the tenant; default: all tenants, and changes of none')
    .addHelpText(
      'after',
      '\nExample:\n  operator audit export --from 2026-10-01 --to 2026-11-01 > audit.jsonl',
    )
    .action((options: PeriodOptions & AnyTenantOptions) => perform(scope => exportAll(scope, options)))
}

async function listPage(scope: OperatorScope, options: PageOptions & AnyTenantOptions): Promise<Output> {
  const page = readPage(options)
  const { items, nextCursor } =
    options.tenant === undefined
      ? await listServiceAuditEvents(scope, page)
      : await listAuditEvents(forTenant(scope, options.tenant), page)
  return list(items.map(present), 'There are no events yet.', nextCursor)
}

async function exportAll(scope: OperatorScope, options: PeriodOptions & AnyTenantOptions): Promise<Streamed> {
  const events = await exportAuditEvents(forAnyTenant(scope, options.tenant), readPeriod(options))
  return { items: presentEach(events) }
}

async function* presentEach(events: AsyncIterable<ExportedAuditEvent>) {
  for await (const event of events) {
    yield { tenantId: 'tenantId' in event ? event.tenantId : null, ...present(event) }
  }
}

function present(event: ExportedAuditEvent) {
  const { id, at, actorKind, actorSubject, actorName, actorIssuer, actorIp, action, target, changes } = event
  return { at, actorKind, actorSubject, actorName, actorIssuer, actorIp, action, target, changes, id }
}
