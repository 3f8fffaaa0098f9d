import { createCluster } from 'redis'
import { clientOptions, type RedisClient, type RedisConnection } from './redis-connection.ts'
import { watchResponses } from './watch-responses.ts'

/**
 * Connects to all primaries of a cluster, which any of the nodes tells. The client follows slots that move. When a node
 * fails, `lost` resolves, and the commands of the other nodes continue to work until the connection is replaced, which
 * succeeds when every slot has a primary that responds.
 */
export async function connectToCluster(urls: readonly string[]): Promise<RedisConnection> {
  const lost = Promise.withResolvers<Error>()
  const { scripts, commandOptions, ...defaults } = clientOptions
  const { protocol, username, password } = new URL(urls[0]!)
  const cluster = createCluster({
    rootNodes: urls.map(url => ({ url })),
    scripts,
    commandOptions,
    defaults: {
      ...defaults,
      ...(username ? { username: decodeURIComponent(username) } : {}),
      ...(password ? { password: decodeURIComponent(password) } : {}),
      socket: { ...defaults.socket, ...(protocol === 'rediss:' ? { tls: true } : {}) },
    },
  })
  cluster.on('error', lost.resolve)
  cluster.on('node-error', lost.resolve)
  try {
    await cluster.connect()
  } catch (error) {
    cluster.destroy()
    throw error
  }
  const clients = () => cluster.masters.flatMap(({ client }) => (client ? [client as RedisClient] : []))
  const stopWatching = watchResponses(clients, lost.resolve)
  return {
    commands: cluster,
    clients,
    lost: lost.promise,
    destroy() {
      stopWatching()
      cluster.destroy()
    },
  }
}
