import { z } from 'zod'
import { findActorNames } from '#domain/audit/find-actor-names.ts'
import { exportTenantEvents } from '#domain/audit/find-audit-events.ts'
import type { ExportAction } from '#domain/audit/record-audit-event.ts'
import type { Right } from '#domain/permissions.ts'
import type { MemberScope } from '#domain/scope.ts'
import { dailyUsage } from '#domain/usage/daily-usage.ts'
import { summedCounts } from '#domain/usage/usage-counts.ts'
import { countDenials } from '#domain/verification/count-denials.ts'
import { exportVerifications } from '#domain/verification/export-verifications.ts'
import { auditEvent, auditFilters, presentEvent } from '../audit.ts'
import { dayFilter } from '../usage.ts'
import { verificationFilter } from '../verifications.ts'
import type { CsvField } from './csv.ts'

/** A CSV file of a tenant's data. */
export interface Export<Filter extends z.ZodObject = z.ZodObject, Column extends string = string> {
  right: Right
  /** How it is recorded in the audit log. */
  action: ExportAction
  /** The parameters of the query. */
  filter: Filter
  columns: readonly Column[]
  /** The records, read as they are consumed. */
  records(scope: MemberScope, filter: z.output<Filter>): AsyncIterable<Record<Column, CsvField>>
}

function declare<Filter extends z.ZodObject, const Column extends string>(
  declared: Export<Filter, Column>,
): Export {
  return declared as unknown as Export
}

const verifications = declare({
  right: 'read',
  action: 'verification.export',
  filter: z.strictObject(verificationFilter),
  columns: [
    'verificationId',
    'status',
    'over18',
    'confidence',
    'createdAt',
    'completedAt',
    'code',
    'reasonCode',
    'description',
    'tokenRevokedAt',
  ],
  async *records(scope, filter) {
    const undecided = { code: null, reasonCode: null, description: null }
    for await (const { decision, ...verification } of exportVerifications(scope, filter))
      yield { ...verification, ...(decision ?? undecided) }
  },
})

const usage = declare({
  right: 'read',
  action: 'usage.export',
  filter: z.strictObject(dayFilter),
  columns: ['day', ...summedCounts, 'ageUnknown'],
  async *records(scope, filter) {
    yield* await dailyUsage(scope, filter)
  },
})

const denials = declare({
  right: 'read',
  action: 'usage.export',
  filter: z.strictObject(dayFilter),
  columns: ['reasonCode', 'reason', 'denied', 'share', 'sampledOneIn'],
  async *records(scope, filter) {
    const { reasons, sampledOneIn } = await countDenials(scope, filter)
    const all = reasons.reduce((sum, { count }) => sum + count, 0)
    for (const { count: denied, ...reason } of reasons)
      yield { ...reason, denied, share: Number((denied / all).toFixed(4)), sampledOneIn }
  },
})

const audit = declare({
  right: 'read',
  action: 'audit.export',
  filter: z.strictObject(auditFilters),
  columns: auditEvent.keyof().options,
  async *records(scope, filter) {
    for await (const events of exportTenantEvents(scope, filter)) {
      const nameOf = await findActorNames(scope, events)
      for (const event of events) {
        yield { ...presentEvent(event, nameOf(event)), changes: JSON.stringify(event.changes) }
      }
    }
  },
})

/** By the name of the file, without its extension. */
export const exports: Record<string, Export> = { verifications, usage, denials, audit }
