import type { Run } from '../run.ts'

/** An erased verification counts as that and as nothing else, and its session is queued until the provider has deleted it. */
export async function checkErasures({ system, ledger, violations }: Run): Promise<void> {
  const counts = await system.query<{ tenantId: string; open: number; unfinished: number; erased: number }>(
    `select u.tenant_id as "tenantId", sum(erased)::int as erased,
       sum(started - approved - denied - rejected - submitted - resubmission)::int as unfinished,
       (select count(*)::int from open_verification o where o.tenant_id = u.tenant_id) as open
     from usage_day u group by u.tenant_id`,
  )
  for (const count of counts) {
    const { starts = [] } = ledger.tenants.find(({ tenantId }) => tenantId === count.tenantId) ?? {}
    const requested = starts.filter(({ erased }) => erased.sentAt !== undefined)
    const undecided = requested.filter(one => one.erased.doneAt !== undefined && one.decisions.length === 0)
    const isCounted = count.erased >= undecided.length && count.erased <= requested.length
    if (!isCounted || count.unfinished !== count.open + count.erased) {
      violations.add('A start is open, completed or erased', { ...count, undecided: undecided.length })
    }
  }
  const queued = await system.query<{ id: string }>(
    'select verification_id as id from session_deletion where provider_session_id is not null',
  )
  const known = new Set(queued.map(({ id }) => id))
  for (const { vendorData } of await system.provider.sessions()) {
    const entry = ledger.starts.find(({ verificationId }) => verificationId === vendorData)
    if (entry?.erased.doneAt === undefined || known.has(vendorData)) continue
    violations.add('The session of an erased verification is deleted, or queued', { vendorData })
  }
}
