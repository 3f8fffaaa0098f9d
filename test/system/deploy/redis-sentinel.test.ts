import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '#server/http/free-port.ts'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { haproxy, runHaproxy } from '../../harness/engines/haproxy.ts'
import { redisServer } from '../../harness/engines/redis.ts'
import {
  createRedisServers,
  type RedisServer,
  type RedisServers,
} from '../../harness/engines/redis-servers.ts'
import { eventually } from '../../harness/eventually.ts'
import { expectError } from '../../harness/expect-error.ts'
import { describeWith } from '../../harness/system-program.ts'
import { tenantClient } from '../../harness/tenant-client.ts'
import { createTestTenant, startTestService } from '../../harness/test-service.ts'

const administrator = { name: 'administrator', password: 'ADMINISTRATOR_PASSWORD' }
const patiently = { timeoutMs: 60_000 }

describeWith(
  [redisServer, haproxy],
  'HAProxy in front of a primary with replicas and Sentinels, as deploy has them',
  () => {
    const folder = temporaryFolder()
    const closing = new AsyncDisposableStack()
    let servers: RedisServers
    let nodes: RedisServer[]
    let port: number
    before('start them', async () => {
      for (const name of ['redis.conf', 'replicated.conf'])
        await writeFile(join(folder.path, name), await readConfiguration(`redis/${name}`))
      const users = ['redis/users.acl', 'redis/replicated-users.acl', 'redis/administrator.acl'].map(
        readConfiguration,
      )
      await writeFile(join(folder.path, 'users.acl'), (await Promise.all(users)).join(''))
      servers = await createRedisServers('redis-server')
      closing.defer(() => servers.close())
      const primary = await startNode()
      nodes = [primary, ...(await Promise.all([1, 2].map(() => startNode(primary))))]
      const sentinel = (await readConfiguration('redis/sentinel.conf')).replace(
        '10.0.0.1 6379',
        `127.0.0.1 ${primary.port}`,
      )
      for (let count = 0; count < 3; count += 1) await servers.startSentinel(() => sentinel)
      port = await freePort()
      let proxy = (await readConfiguration('haproxy/redis.cfg')).replace('*:6379', `127.0.0.1:${port}`)
      for (const [index, node] of nodes.entries())
        proxy = proxy.replace(`10.0.0.${index + 1}:6379`, `127.0.0.1:${node.port}`)
      await runHaproxy(proxy, closing)
    })
    after(() => closing.disposeAsync())

    it('leads to the one that was promoted, also when the former primary is back', async () => {
      const url = `redis://verification:PASSWORD@127.0.0.1:${port}`
      const opened = await eventually(() => startTestService({ redisUrl: url }), patiently)
      closing.defer(() => opened.close())
      const { validate } = tenantClient(opened, await createTestTenant(opened))
      await eventually(async () => (await validate('x')).status === 200, patiently)
      const [former] = nodes
      await former!.kill()
      expectError(await validate('x'), 'REDIS_ERROR')
      await eventually(async () => (await validate('x')).status === 200, patiently)
      await former!.restart()
      await eventually(async () => /role:slave/.test(await former!.send('INFO', 'replication')), patiently)
      await eventually(async () => (await validate('x')).status === 200, patiently)
    })

    async function startNode(primary?: RedisServer): Promise<RedisServer> {
      const replicaOf = primary ? ['--replicaof', `127.0.0.1 ${primary.port}`] : []
      const options = ['--include', join(folder.path, 'replicated.conf'), ...replicaOf]
      return await servers.start([...options, '--repl-diskless-sync-delay', '0'], administrator)
    }

    async function readConfiguration(name: string): Promise<string> {
      return (await readFile(`deploy/${name}`, 'utf8')).replaceAll('/etc/redis', folder.path)
    }
  },
)
