import { MikroORM, type PostgreSqlConnection } from '@mikro-orm/postgresql'
import { closeOrm } from '../database/close-orm.ts'
import { connectionOptions } from '../database/connection-options.ts'
import { answerMsMax, type DatabaseOptions, ormConfig } from '../database/orm.config.ts'
import { type CountedPool, type PoolUsage, poolUsageOf } from '../database/pool-usage.ts'
import type { ServerClientClass } from '../database/server-client.ts'
import type { StatementPool } from '../database/statement.ts'
import { watchConnections } from '../database/watch-connections.ts'
import { createReplayLag } from './replay-lag.ts'

export interface Standby {
  orm: MikroORM
  pool: StatementPool
  usage(): PoolUsage
  /** Whether it answers and is at most 10 s behind. */
  isCurrent(): boolean
  /** A read has failed: it is not current until it has answered again. */
  failed(): void
  close(): Promise<void>
}

export interface StandbyOptions extends DatabaseOptions {
  /** The primary, whose position the standby's is compared with. */
  primary: StatementPool
  /** Called when it is no longer current, and when it is again. */
  onChange?: (isCurrent: boolean) => void
}

const lagMsMax = 10_000
const sampleMs = 1_000

/**
 * Opens the connections to a standby for reading. It may be away, now and at any time: its position in the write-ahead
 * log is compared with the primary's once a second, and reads that wait for a standby that doesn't answer fail at once.
 */
export async function openStandby(options: StandbyOptions): Promise<Standby> {
  const { url, applicationName, primary, onChange = () => {} } = options
  const connection = connectionOptions(url, { applicationName, target: 'prefer-standby' })
  const { openClients } = connection.Client as unknown as ServerClientClass
  const orm = await MikroORM.init(ormConfig(options, connection))
  const pool = await (orm.em.getConnection() as PostgreSqlConnection).getNativeClient()
  const lag = createReplayLag(primary, pool as unknown as StatementPool)
  let wasCurrent = false
  let isAway = true
  let sampling: Promise<void> | undefined

  const isCurrent = () => !isAway && lag.ms() <= lagMsMax
  function report(): void {
    if (isCurrent() === wasCurrent) return
    wasCurrent = !wasCurrent
    onChange(wasCurrent)
  }
  function leave(): void {
    isAway = true
    report()
  }
  async function sample(): Promise<void> {
    try {
      await lag.sample()
      isAway = false
    } catch {
      isAway = true
    }
    report()
  }
  function tick(): void {
    sampling ??= sample().finally(() => {
      sampling = undefined
    })
  }
  const watch = watchConnections(connection, {
    answerMsMax: answerMsMax(connection),
    closesAtSilence: true,
    onChange: isAnswering => {
      if (!isAnswering) leave()
    },
  })
  const timer = setInterval(tick, sampleMs)
  timer.unref()
  tick()
  return {
    orm,
    pool: pool as unknown as StatementPool,
    usage: () => poolUsageOf(pool as unknown as CountedPool),
    isCurrent,
    failed: leave,
    async close() {
      clearInterval(timer)
      await watch.close()
      for (const client of openClients) if (isAway) client.destroy(new Error('Connection terminated'))
      await sampling
      await closeOrm(orm)
    },
  }
}
