import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { describeWithOwnRedis } from '../../harness/engines/redis.ts'
import {
  createRedisServers,
  type RedisServer,
  type RedisServers,
  sendToRedis,
} from '../../harness/engines/redis-servers.ts'
import { eventually } from '../../harness/eventually.ts'

describeWithOwnRedis(
  'The configuration of deploy/redis for a primary with replicas and Sentinels',
  function () {
    this.timeout(60_000)
    const folder = temporaryFolder()
    let servers: RedisServers
    let nodes: RedisServer[]
    let sentinel: RedisServer
    before('start them', async () => {
      for (const name of ['redis.conf', 'replicated.conf'])
        await writeFile(join(folder.path, name), await readConfiguration(name))
      const users = ['users.acl', 'replicated-users.acl'].map(readConfiguration)
      await writeFile(join(folder.path, 'users.acl'), (await Promise.all(users)).join(''))
      servers = await createRedisServers('redis-server')
      const primary = await startNode()
      nodes = [primary, ...(await Promise.all([1, 2].map(() => startNode(primary))))]
      const configuration = await readConfiguration('sentinel.conf')
      sentinel = await servers.startSentinel(() =>
        configuration.replace('10.0.0.1 6379', `127.0.0.1 ${primary.port}`),
      )
      // Otherwise it looks at the servers once in one to ten seconds.
      const periods = ['INFO-PERIOD', 'PING-PERIOD', 'PUBLISH-PERIOD'].flatMap(name => [name, '100'])
      await sentinel.send('SENTINEL', 'DEBUG', ...periods)
    })
    after(() => servers.close())

    it('keeps the user of the service through a failover, and rejects writes without a replica', async () => {
      const [first] = nodes
      await eventually(async () => {
        if ((await primaryPort()) !== first!.port) return true
        // Refused while it doesn't know the replicas yet, and while a failover is in progress.
        await sentinel.send('SENTINEL', 'FAILOVER', 'verification').catch(() => undefined)
        return false
      }, patiently)
      const port = await primaryPort()
      await eventually(async () => (await set(port)) === 'OK', patiently)
      for (const node of nodes) if (node.port !== port) await node.kill()
      await eventually(async () => /NOREPLICAS/.test(await set(port)), patiently)
    })

    async function primaryPort(): Promise<number> {
      const [, port] = await sentinel.send<string[]>('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'verification')
      return Number(port)
    }

    /** The reply or error for the user of the service. */
    async function set(port: number): Promise<string> {
      const url = `redis://verification:PASSWORD@127.0.0.1:${port}`
      return await sendToRedis(url, ['SET', 'age-verification:test', '1']).then(String, String)
    }

    async function startNode(primary?: RedisServer): Promise<RedisServer> {
      const replicaOf = primary ? ['--replicaof', `127.0.0.1 ${primary.port}`] : []
      const options = ['--include', join(folder.path, 'replicated.conf'), ...replicaOf]
      return await servers.start([...options, '--repl-diskless-sync-delay', '0'], service)
    }

    async function readConfiguration(name: string): Promise<string> {
      return (await readFile(`deploy/redis/${name}`, 'utf8')).replaceAll('/etc/redis', folder.path)
    }
  },
)

const service = { name: 'verification', password: 'PASSWORD' }
const patiently = { timeoutMs: 30_000 }
