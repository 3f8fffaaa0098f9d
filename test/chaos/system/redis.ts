import { createRedisServers } from '../../harness/engines/redis-servers.ts'
import { isRunning } from '../../harness/processes/process-tree.ts'

/** Redis, as the service uses it: one server without files. */
export async function openRedis() {
  const servers = await createRedisServers('redis-server')
  const server = await servers.start([])
  return {
    port: server.port,
    /** Kills the server, with its data. */
    crash: () => server.kill(),
    freeze: async () => void server.process.kill('SIGSTOP'),
    /** After a crash or a freeze: resolves when it accepts writes. */
    async recover() {
      if (isRunning(server.process)) server.process.kill('SIGCONT')
      else await server.restart()
    },
    close: () => servers.close(),
  }
}
