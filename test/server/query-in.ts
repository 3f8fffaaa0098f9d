import pg from 'pg'

/** Runs a query on a connection of its own, and returns its rows. */
export async function queryIn(
  databaseUrl: string,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query(text, values)
    return rows
  } finally {
    await client.end()
  }
}

/** How many statements in the database wait for a lock. */
export async function waitingForLock(databaseUrl: string): Promise<number> {
  const activity = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return (await queryIn(databaseUrl, activity)).length
}
