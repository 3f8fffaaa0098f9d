import type { ConnectionOptions } from './connection-options.ts'
import { ServerClient } from './server-client.ts'
import { prepareSession } from './session-settings.ts'

/**
 * Connects to a server that accepts writes, within `connect_timeout`. Throws the driver's error, or a `ServerRoleError`.
 */
export async function connect(connection: ConnectionOptions): Promise<ServerClient> {
  const client = new ServerClient(connection)
  const timeout = Object.assign(new Error('timeout expired'), { code: 'ETIMEDOUT' })
  const late = setTimeout(() => client.destroy(timeout), connection.connectionTimeoutMillis)
  try {
    await client.connect()
    await prepareSession(client)
    return client
  } catch (error) {
    client.destroy(error as Error)
    // Of a name with several addresses, Node reports the errors of all of them in one that has no message.
    throw error instanceof AggregateError ? error.errors.at(-1) : error
  } finally {
    clearTimeout(late)
  }
}
