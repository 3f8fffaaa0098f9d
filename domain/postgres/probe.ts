import type { DatabaseError } from 'pg'
import { connect } from './connect.ts'
import type { ConnectionOptions } from './connection-options.ts'
import type { ServerClient } from './server-client.ts'
import { assertWritable, serverClockQuery } from './server-role.ts'

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

/** Of each step: longer than readiness waits, and short enough to look for another server soon. */
const probeMsMax = 1_000

/** An open connection says nothing of a password, a certificate or a rule that only new ones meet, as the pool's will. */
const reopenAfterMs = 5_000

/** SQLSTATE of "too many connections", by the server or the role: the open ones serve, and nobody is to be sent elsewhere. */
const tooManyConnections = '53300'

/**
 * Asks the server whether it is there, accepts writes and lets this process connect, on a connection of its own, not behind
 * statements that wait for the pool. Opens it for the first probe, and anew after 5 s, while the old one is still used. Probes
 * share the one that is under way.
 */
export function createProbe(options: ConnectionOptions, reopensAfterMs = reopenAfterMs, msMax = probeMsMax) {
  const connection = { ...options, deadlineMs: msMax, connectionTimeoutMillis: msMax }
  let client: ServerClient | undefined
  let openedAt = 0
  let reopening: Promise<void> | undefined
  /** Why the last new connection failed. */
  let refusal: Error | undefined
  let underWay: Promise<void> | undefined
  let clockDifferenceMs: number | undefined
  async function send(): Promise<void> {
    // A new connection has asked for the role.
    if (client) await assertWritable(client)
    else client = await open(connection)
    if (refusal || performance.now() - openedAt > reopensAfterMs) reopening ??= reopen()
    if (refusal) throw refusal
    const sentAt = Date.now()
    const { rows } = await client.query<{ serverMs: number }>(serverClockQuery)
    clockDifferenceMs = (sentAt + Date.now()) / 2 - rows[0]!.serverMs
    await client.query(refusalProbe)
  }
  async function reopen(): Promise<void> {
    const old = client
    try {
      // It has longer than a probe: a busy machine is no refusal.
      client = await open({ ...connection, connectionTimeoutMillis: options.connectionTimeoutMillis })
      // The probe under way may still use it.
      await Promise.allSettled([underWay])
      await old?.close()
    } catch (error) {
      if ((error as DatabaseError).code !== tooManyConnections) refusal = error as Error
    } finally {
      reopening = undefined
    }
  }
  async function open(options: ConnectionOptions): Promise<ServerClient> {
    const opened = await connect(options)
    openedAt = performance.now()
    refusal = undefined
    opened.once('end', () => {
      if (client === opened) client = undefined
    })
    return opened
  }
  return {
    /** Rejects if the server doesn't answer, is read-only, or refuses writes or new connections. */
    probe(): Promise<void> {
      underWay ??= send().finally(() => {
        underWay = undefined
      })
      return underWay
    },
    /** By how much this process's clock is ahead of the server's, at the last probe; undefined before the first. */
    clockDifferenceMs: () => clockDifferenceMs,
    async close(): Promise<void> {
      reopening?.then(() => client?.close())
      await client?.close()
    },
  }
}
