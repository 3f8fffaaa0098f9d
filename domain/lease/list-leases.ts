import { text, timestamp } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'

/** All of them, also those that have expired: one for each task, and a few more. */
export const listLeases = statement({
  name: 'list-leases',
  text: 'select name, expires_at as "expiresAt" from lease',
  values: {},
  row: { name: text, expiresAt: timestamp },
})

export type KnownLease = Awaited<ReturnType<typeof listLeases>>[number]
