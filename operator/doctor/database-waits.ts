import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from 'pg'
import { Fault } from './check.ts'
import { describeTime } from './describe-time.ts'

/** How long a statement may wait for a lock before it's a fault: the service's own end after three seconds. */
const lockSecondsMax = 1
const secondLookMs = 1_200
/** The same of a commit that waits for a synchronous standby. */
const commitSecondsMax = 5
/** How long a transaction may be open while its client sends nothing, and while it sends something. */
const idleSecondsMax = 60
const transactionSecondsMax = 60 * 60
/** The same of one that has written: tenants don't get what completes meanwhile from `GET /verifications`. */
const writerSecondsMax = 60
/** Blockers and transactions that are named. */
const namedMax = 3

interface Session {
  pid: number
  application: string
  /** Null for another role's session, unless this one has the rights of `pg_read_all_stats`. */
  state: string | null
  transactionSeconds: number | null
  idleSeconds: number | null
  waitSeconds: number | null
  awaitsStandby: boolean
  /** Whether its transaction has a number, also in another database. */
  hasWritten: boolean
  /** Null if it is this one. */
  otherDatabase: string | null
  blockers: number[]
  query: string
}

/** Throws a `Fault` that says who blocks whom, whose commits wait for a standby, or which transaction is open for long. */
export async function describeWaits(client: Client): Promise<string> {
  let { rows: sessions } = await client.query<Session>(sessionsQuery)
  if (sessions.some(({ blockers }) => blockers.length > 0) && describeBlockers(sessions).length === 0) {
    // It has just begun, or another one after a request that the lock has ended.
    await wait(secondLookMs)
    sessions = (await client.query<Session>(sessionsQuery)).rows
  }
  const problems = [describeBlockers(sessions), describeCommits(sessions), describeOpen(sessions)].flat()
  if (problems.length > 0) throw new Fault(problems.join('; '))
  const oldest = Math.max(0, ...sessions.map(({ transactionSeconds }) => transactionSeconds ?? 0))
  return `nothing waits for a lock; the oldest transaction is ${describeTime(oldest)} old`
}

const sessionsQuery = `select a.pid, coalesce(nullif(a.application_name, ''), a.usename, a.backend_type) as application,
    a.state, extract(epoch from clock_timestamp() - a.xact_start)::float8 as "transactionSeconds",
    case when a.state like 'idle in transaction%'
      then extract(epoch from clock_timestamp() - a.state_change)::float8 end as "idleSeconds",
    extract(epoch from clock_timestamp() - coalesce(l.since, a.query_start))::float8 as "waitSeconds",
    coalesce(a.wait_event = 'SyncRep', false) as "awaitsStandby", a.backend_xid is not null as "hasWritten",
    nullif(a.datname, current_database()) as "otherDatabase",
    case when l.pid is null then '{}' else pg_blocking_pids(a.pid) end as blockers,
    left(ltrim(a.query), 200) as query
  from pg_stat_activity a
    left join (select pid, min(waitstart) as since from pg_locks where not granted group by pid) l using (pid)
  where (a.datname = current_database() or a.backend_xid is not null) and a.pid <> pg_backend_pid()
  order by a.xact_start`

/** Only those at the head of a queue: who waits and blocks others goes on as soon as they end. */
function describeBlockers(sessions: readonly Session[]): string[] {
  const waiting = sessions.filter(({ blockers }) => blockers.length > 0)
  if (!waiting.some(({ waitSeconds }) => (waitSeconds ?? 0) > lockSecondsMax)) return []
  const waitingPids = new Set(waiting.map(({ pid }) => pid))
  const heads = new Set(waiting.flatMap(({ blockers }) => blockers).filter(pid => !waitingPids.has(pid)))
  const longest = waiting.toSorted((a, b) => b.waitSeconds! - a.waitSeconds!)[0]!
  const blocked = `${waiting.length} ${waiting.length === 1 ? 'session' : 'sessions'}`
  const example = `for up to ${describeTime(longest.waitSeconds!)}, such as pid ${longest.pid} (${describeSession(longest)})`
  return [...heads].slice(0, namedMax).map(pid => {
    const head = sessions.find(session => session.pid === pid)
    const who = head ? ` (${describeSession(head)})` : ''
    return `pid ${pid}${who} blocks ${blocked} ${example}: end it with ${describeEnd(pid, head)}, or wait for it`
  })
}

function describeCommits(sessions: readonly Session[]): string[] {
  const waiting = sessions.filter(
    ({ awaitsStandby, waitSeconds }) => awaitsStandby && (waitSeconds ?? 0) > commitSecondsMax,
  )
  if (waiting.length === 0) return []
  const commits = waiting.length === 1 ? '1 commit waits' : `${waiting.length} commits wait`
  return [`${commits} for a synchronous standby: start it, or change synchronous_standby_names`]
}

function describeOpen(sessions: readonly Session[]): string[] {
  return sessions
    .map(session => ({ session, harm: describeHarm(session) }))
    .filter(({ harm }) => harm !== '')
    .slice(0, namedMax)
    .map(
      ({ session, harm }) =>
        `pid ${session.pid} (${describeSession(session)}) ${harm}: end it with ${describeEnd(session.pid, session)} if it is of no use`,
    )
}

function describeHarm({ transactionSeconds, idleSeconds, hasWritten, otherDatabase }: Session): string {
  const seconds = transactionSeconds ?? 0
  const isOld = (idleSeconds ?? 0) > idleSecondsMax || seconds > transactionSecondsMax
  return [
    isOld && otherDatabase === null ? ['keeps vacuum from removing dead rows'] : [],
    hasWritten && seconds > writerSecondsMax ? ['keeps what completes out of GET /verifications'] : [],
  ]
    .flat()
    .join(', and ')
}

function describeEnd(pid: number, session: Session | undefined): string {
  return `select pg_terminate_backend(${pid})${isOfAnotherRole(session) ? ' as a superuser' : ''}`
}

/** Its statement is hidden, and only a superuser may end it. */
function isOfAnotherRole(session: Session | undefined): boolean {
  return session?.state === null
}

function describeSession(session: Session): string {
  const { application, state, transactionSeconds, otherDatabase, query } = session
  const age = transactionSeconds === null ? null : `transaction open for ${describeTime(transactionSeconds)}`
  const database = otherDatabase && `in the database ${otherDatabase}`
  return [
    application,
    database,
    state,
    age,
    isOfAnotherRole(session) ? 'of another role' : describeQuery(query),
  ]
    .filter(Boolean)
    .join(', ')
}

/** The name of a prepared statement, or the first line of another without what may be a value. */
export function describeQuery(query: string): string {
  const name = /^\/\* ([\w-]+) \*\//.exec(query)?.[1]
  if (name) return `statement ${name}`
  const [line = ''] = query.split('\n')
  return line
    .replace(/'(?:[^'\\]|''|\\.)*'?|\$(\w*)\$.*|\b\d[\d.]*\b/g, '?')
    .slice(0, 80)
    .trim()
}
