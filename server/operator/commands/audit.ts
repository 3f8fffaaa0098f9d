import type { Command } from 'commander'
import type { AuditEvent, ServiceAuditEvent } from '#domain/audit-event/audit-event.entity.ts'
import { listAuditEvents, listServiceAuditEvents } from '#domain/audit-event/list-audit-events.ts'
import { forTenant } from '#domain/scope.ts'
import { readWholeNumber } from '../options.ts'
import { list } from '../output.ts'
import type { Performers } from '../perform.ts'

interface AuditOptions {
  tenant?: string
  limit?: string
}

export function addAuditCommands(noun: Command, { perform }: Performers): void {
  noun
    .command('list')
    .description('List changes, newest first: of a tenant, or of the whole service (plans and keys)')
    .option('--tenant <id>', 'id of the tenant; default: the whole service')
    .option('--limit <n>', 'number of events, 1 to 100; default: 50')
    .action(({ tenant, limit: text }: AuditOptions) =>
      perform(async scope => {
        const limit = text === undefined ? undefined : readWholeNumber('limit', text)
        const { items } =
          tenant === undefined
            ? await listServiceAuditEvents(scope, { limit })
            : await listAuditEvents(forTenant(scope, tenant), { limit })
        return list(items.map(present), 'There are no events yet.')
      }),
    )
}

function present(event: AuditEvent | ServiceAuditEvent) {
  const { at, actorKind, actorSubject, actorIssuer, actorIp, action, target, changes } = event
  return {
    at: at.toISOString(),
    actorKind,
    actorSubject: actorSubject ?? null,
    actorIssuer: actorIssuer ?? null,
    actorIp: actorIp ?? null,
    action,
    target: target ?? null,
    changes,
  }
}
