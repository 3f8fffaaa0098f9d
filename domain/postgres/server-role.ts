/** A server answers, but it does not accept writes. */
export class ServerRoleError extends Error {
  override name = 'ServerRoleError'

  constructor({ host, port }: { host?: string; port?: number }, role: string) {
    super(`the server ${host ? `${host}:${port} ` : ''}is ${role}`)
  }
}

/** Asks a server what it is. */
export const serverRoleQuery = `select pg_is_in_recovery() as "isStandby",
  pg_is_in_recovery() or current_setting('default_transaction_read_only')::bool as "isReadOnly"`

/** The server's clock. */
export const serverClockQuery = 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as "serverMs"'

/** A connection of `pg`. */
export interface Connection {
  host?: string
  port?: number
  query(text: string): Promise<{ rows: unknown[] }>
}

/** Throws a `ServerRoleError` if the server is a standby or read-only. Asks it, as a pooler may report an old role. */
export async function assertWritable(connection: Connection): Promise<void> {
  const { rows } = await connection.query(serverRoleQuery)
  const { isStandby, isReadOnly } = rows[0] as { isStandby: boolean; isReadOnly: boolean }
  if (isReadOnly) throw new ServerRoleError(connection, isStandby ? 'a standby' : 'read-only')
}
