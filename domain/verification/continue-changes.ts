import { text, timestamp } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { inTransaction, transaction } from '../database/transaction.ts'
import type { Scope } from '../scope.ts'
import { findServiceSetting, setServiceSetting } from '../service-setting/service-settings.ts'

/** The bits of a change above the number of its transaction. */
export const changeEpoch = `coalesce((select value::bigint from service_setting where name = 'change_epoch'), 0) << 44`

/**
 * Raises the epoch of changes if the database is in another cluster than before, or in one that was restored to a point in
 * time: transaction numbers can begin anew there, and what completes from now on comes after what any cursor knows. To be
 * called before anything completes. Throws `DATABASE_ERROR`.
 */
export async function continueChanges(scope: Scope): Promise<void> {
  const { pool, now } = scope
  const [cluster] = await findCluster(pool, {}).catch(error => {
    scope.log.warn({ err: error }, 'Could not tell whether the database was moved or restored')
    return []
  })
  const [known] = await findServiceSetting(pool, { name: 'cluster' })
  if (!cluster || known?.value === cluster.value) return
  await transaction(scope, async em => {
    if (known) {
      // Completions of the epoch before are committed then, or wait for the next one.
      await em.execute('lock table verification in share row exclusive mode')
      await raiseChangeEpoch(inTransaction(em), { now })
    }
    await setServiceSetting(inTransaction(em), { name: 'cluster', value: cluster.value, now })
  })
}

/** The timeline begins when a standby is promoted, too, after which transaction numbers may be given out again. */
export const findCluster = statement({
  name: 'find-cluster',
  text: `select system_identifier || '/' || timeline_id as value from pg_control_system(), pg_control_checkpoint()`,
  values: {},
  row: { value: text },
})

export const raiseChangeEpoch = statement({
  name: 'raise-change-epoch',
  text: `insert into service_setting as s (name, value, updated_at) values ('change_epoch', '1', :now)
   on conflict (name) do update set value = (s.value::int + 1)::text, updated_at = excluded.updated_at`,
  values: { now: timestamp },
  row: {},
})
