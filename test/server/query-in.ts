import pg from 'pg'

/** Runs statements on a connection of its own, and returns the rows of the last one. Only a single one has values. */
export async function queryIn(
  databaseUrl: string,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const results = await client.query(text, values.length > 0 ? values : undefined)
    return [results].flat().at(-1)!.rows
  } finally {
    await client.end()
  }
}

/** How many statements in the database wait for a lock. */
export async function waitingForLock(databaseUrl: string): Promise<number> {
  const activity = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return (await queryIn(databaseUrl, activity)).length
}
