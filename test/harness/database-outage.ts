import pg from 'pg'

/** Makes a database reject connections, and ends the existing ones; or makes it accept connections again. */
export async function setReachable(databaseUrl: string, reachable: boolean): Promise<void> {
  const url = new URL(databaseUrl)
  const name = url.pathname.slice(1)
  url.pathname = '/postgres'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(`alter database ${name} allow_connections ${reachable}`)
  if (!reachable) {
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  }
  await client.end()
}
