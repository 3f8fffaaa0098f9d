import type { ConnectionOptions } from './connection-options.ts'
import { ServerClient } from './server-client.ts'
import { setSession } from './session-settings.ts'

/**
 * What every write needs, taken without leaving anything: space where the tables are, for a temporary file of 70 KB, and
 * the id of a transaction. A table's page would be no test of a full disk, as it may have space left.
 */
const takeSpaceAndId = `set local work_mem = '64kB';
  set local temp_tablespaces = '';
  select count(*) from generate_series(1, 5000);
  select pg_logical_emit_message(true, 'age-verification', 'probe')`

/** Fails where the server refuses writes, such as with 53100 for a full disk. It waits for no lock, disk or standby. */
export const refusalProbe = `set local synchronous_commit = off; ${takeSpaceAndId}`

/** The same with a commit that waits for the disk, and for a synchronous standby, as those of requests do. */
export const commitProbe = takeSpaceAndId

/**
 * Sends `refusalProbe` on a connection of its own, which it opens for the first probe: a slow disk doesn't delay the
 * heartbeat. Probes share the one that is under way.
 */
export function createWriteProbe(connection: ConnectionOptions) {
  let client: ServerClient | undefined
  let underWay: Promise<void> | undefined
  async function send(): Promise<void> {
    client ??= await open()
    await client.query(refusalProbe)
  }
  async function open(): Promise<ServerClient> {
    const opened = new ServerClient(connection)
    opened.once('end', () => {
      if (client === opened) client = undefined
    })
    await opened.connect()
    await opened.query(setSession)
    return opened
  }
  return {
    probe(): Promise<void> {
      underWay ??= send().finally(() => {
        underWay = undefined
      })
      return underWay
    },
    async close(): Promise<void> {
      await client?.close()
    },
  }
}
