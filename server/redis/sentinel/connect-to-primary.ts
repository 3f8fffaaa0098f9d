import type { SentinelSettings } from '../../configuration/redis-settings.ts'
import { connectTo, type RedisConnection } from '../connect.ts'
import type { RedisConnector } from '../keep-connected.ts'
import { parseInfo } from '../server-info.policy.ts'
import { type Address, createSentinels, type Sentinels } from './sentinels.ts'

const checkEveryMs = 500

/**
 * Connects to the primary that the Sentinels name, and asks them again twice a second: the connection is lost when they
 * name another one. They are also asked after connecting, because a primary that was frozen accepts connections when
 * it resumes, before it learns of the failover.
 */
export function primaryConnector(settings: SentinelSettings): RedisConnector {
  const sentinels = createSentinels(settings)
  return {
    close: sentinels.destroy,
    async connect() {
      const address = await sentinels.findPrimary()
      const connection = await connectTo(replaceAddress(settings.url, address))
      try {
        await assertPrimary(connection, sentinels, address)
      } catch (error) {
        connection.destroy()
        throw error
      }
      return followPrimary(connection, sentinels, address)
    },
  }
}

function followPrimary(connection: RedisConnection, sentinels: Sentinels, address: Address): RedisConnection {
  const replaced = Promise.withResolvers<Error>()
  let isAsking = false
  async function check(): Promise<void> {
    if (isAsking) return
    isAsking = true
    // Without a Sentinel there is no failover either.
    const named = await sentinels.findPrimary().catch(() => address)
    isAsking = false
    if (isEqual(named, address)) return
    destroy()
    replaced.resolve(new Error('The Sentinels name another primary'))
  }
  const timer = setInterval(check, checkEveryMs).unref()
  function destroy(): void {
    clearInterval(timer)
    connection.destroy()
  }
  return { ...connection, lost: Promise.race([connection.lost, replaced.promise]), destroy }
}

async function assertPrimary(
  connection: RedisConnection,
  sentinels: Sentinels,
  address: Address,
): Promise<void> {
  if (!isEqual(await sentinels.findPrimary(), address)) throw new Error('The Sentinels name another primary')
  const { role } = parseInfo(await connection.clients()[0]!.info('replication'))
  if (role !== 'master') throw new Error('The Sentinels name a server that is not a primary yet')
}

function isEqual(one: Address, other: Address): boolean {
  return one.host === other.host && one.port === other.port
}

function replaceAddress(url: string, { host, port }: Address): string {
  const target = new URL(url)
  target.hostname = host.includes(':') ? `[${host}]` : host
  target.port = String(port)
  return target.href
}
