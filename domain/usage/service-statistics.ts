import { date, int, timestamp } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { OperatorScope } from '../scope.ts'
import { dayOf, toMonth } from './usage-period.ts'

/** The numbers of the whole service. Verifications are those of live tenants. */
export type ServiceStatistics = Awaited<ReturnType<typeof countService>>[number]

/** Throws `DATABASE_ERROR`. */
export async function serviceStatistics({ pool, now }: OperatorScope): Promise<ServiceStatistics> {
  const [counted] = await countService(pool, { now, today: dayOf(now), month: toMonth(now) })
  return counted!
}

/** Test tenants are counted apart. */
const isLive = (table: string) =>
  `not exists (select from tenant t where t.id = ${table}.tenant_id and t.test)`

const sumDays = (column: string, from: string) =>
  `(select coalesce(sum(${column}), 0)::int from usage_day u where day >= ${from} and day <= :today and ${isLive('u')})`

const openIn = (status: string) =>
  `(select count(*)::int from open_verification o where status = '${status}' and ${isLive('o')})`

export const countService = statement({
  name: 'count-service',
  text: `select (select count(*)::int from tenant where not test) as tenants,
     (select count(*)::int from tenant where test) as "testTenants",
     (select count(*)::int from tenant where disabled_at is not null) as "disabledTenants",
     (select count(*)::int from tenant where subscription <> 'active') as "inactiveSubscriptions",
     (select count(*)::int from member) as members,
     (select count(*)::int from api_key where revoked_at is null and (expires_at is null or expires_at > :now))
       as "liveApiKeys",
     ${sumDays('started', ':today')} as "startedToday", ${sumDays('approved', ':today')} as "approvedToday",
     ${sumDays('denied', ':today')} as "deniedToday", ${sumDays('rejected', ':today')} as "rejectedToday",
     ${sumDays('started', ':month')} as "startedThisMonth", ${openIn('pending')} as "openPending",
     ${openIn('started')} as "openStarted", ${openIn('submitted')} as "openSubmitted",
     ${openIn('resubmission')} as "openResubmission",
     (pg_database_size(current_database()) / 1048576)::int as "databaseMebibytes"`,
  values: { now: timestamp, today: date, month: date },
  row: {
    tenants: int,
    testTenants: int,
    disabledTenants: int,
    inactiveSubscriptions: int,
    members: int,
    liveApiKeys: int,
    /** In UTC, by the time of the start or the completion. */
    startedToday: int,
    approvedToday: int,
    deniedToday: int,
    rejectedToday: int,
    startedThisMonth: int,
    /** Verifications that are not completed. */
    openPending: int,
    openStarted: int,
    openSubmitted: int,
    openResubmission: int,
    databaseMebibytes: int,
  },
})
