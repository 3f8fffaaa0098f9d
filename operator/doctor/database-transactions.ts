import { findOldestWriter } from '#domain/database/oldest-writer.ts'
import type { StatementPool } from '#domain/database/statement.ts'
import { Fault } from './check.ts'
import { describeTime } from './describe-time.ts'

/** The service's own end after 30 s. */
const openSecondsMax = 60

/** Throws a `Fault` if a transaction that has written is open for long, whoever's it is. */
export async function describeTransactions(
  pool: StatementPool,
  secondsMax = openSecondsMax,
): Promise<string> {
  const [writer] = await findOldestWriter(pool, {})
  if (!writer) return 'none that writes is open'
  const { pid, role, application, seconds } = writer
  const whose = `pid ${pid} (${application ? `${application}, ` : ''}role ${role})`
  if (seconds === null) return `${whose} writes; for how long cannot be seen`
  if (seconds <= secondsMax) return `the oldest one that writes is open for ${describeTime(seconds)}`
  throw new Fault(
    `${whose} has had a transaction open for ${describeTime(seconds)}, and has written in it: it keeps locks and dead rows. End it as a superuser, if it is of no use: select pg_terminate_backend(${pid})`,
  )
}
