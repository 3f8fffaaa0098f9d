import { z } from 'zod'
import { exportTenantEvents } from '#domain/audit-event/export-tenant-events.ts'
import { findActorNames } from '#domain/audit-event/find-actor-names.ts'
import type { ExportAction } from '#domain/audit-event/record-export.ts'
import type { Right } from '#domain/member/member.policy.ts'
import type { MemberScope } from '#domain/scope.ts'
import { dailyUsage } from '#domain/usage/daily-usage.ts'
import { auditFilters, displayedActor } from '../audit.ts'
import { dayFilter } from '../usage.ts'
import { verificationFilter } from '../verifications.ts'
import type { CsvField } from './csv.ts'
import { verificationBatches } from './verification-batches.ts'

/** A CSV file of a tenant's data. */
export interface Export<Filter extends z.ZodObject = z.ZodObject> {
  right: Right
  /** How it is recorded in the audit log. */
  action: ExportAction
  /** The parameters of the query. */
  filter: Filter
  columns: readonly string[]
  /** The records, in batches that are read as they are consumed. */
  batches(scope: MemberScope, filter: z.output<Filter>): AsyncIterable<CsvField[][]>
}

function declare<Filter extends z.ZodObject>(declared: Export<Filter>): Export {
  return declared as unknown as Export
}

const verifications = declare({
  right: 'read',
  action: 'verification.export',
  filter: z.strictObject(verificationFilter),
  columns: ['verificationId', 'status', 'confidence', 'createdAt', 'completedAt'],
  batches: verificationBatches,
})

const usage = declare({
  right: 'read',
  action: 'usage.export',
  filter: z.strictObject(dayFilter),
  columns: ['day', 'started', 'approved', 'denied', 'rejected', 'submitted', 'resubmission'],
  async *batches(scope, filter) {
    const days = await dailyUsage(scope, filter)
    yield days.map(({ day, started, approved, denied, rejected, submitted, resubmission }) => [
      day,
      started,
      approved,
      denied,
      rejected,
      submitted,
      resubmission,
    ])
  },
})

const audit = declare({
  right: 'read',
  action: 'audit.export',
  filter: z.strictObject(auditFilters),
  columns: [
    'auditEventId',
    'at',
    'actorKind',
    'actor',
    'actorName',
    'actorIssuer',
    'actorIp',
    'action',
    'target',
    'changes',
  ],
  async *batches(scope, filter) {
    for await (const events of exportTenantEvents(scope, filter)) {
      const nameOf = await findActorNames(scope, events)
      yield events.map(event => [
        event.id,
        event.at,
        event.actorKind,
        displayedActor(event),
        nameOf(event),
        event.actorIssuer ?? null,
        event.actorIp ?? null,
        event.action,
        event.target ?? null,
        JSON.stringify(event.changes),
      ])
    }
  },
})

/** By the name of the file, without its extension. */
export const exports: Record<string, Export> = { verifications, usage, audit }
