import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { createClient } from 'redis'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { describeWithRedis } from '../../harness/engines/redis.ts'
import {
  createRedisServers,
  type RedisServer,
  type RedisServers,
  sendToRedis,
} from '../../harness/engines/redis-servers.ts'
import { tenantClient } from '../../harness/tenant-client.ts'
import { createTestClock } from '../../harness/test-clock.ts'
import { createTestTenant, startTestService } from '../../harness/test-service.ts'

const documented = readFileSync('deploy/redis/users.acl', 'utf8')
const administrator = readFileSync('deploy/redis/administrator.acl', 'utf8')

describeWithRedis('The user of deploy/redis/users.acl', () => {
  const folder = temporaryFolder()
  let servers: RedisServers
  let redis: RedisServer
  before('start Redis with it, and with an administrator', async () => {
    servers = await createRedisServers('redis-server')
    await store(documented)
    const options = ['--aclfile', join(folder.path, 'users.acl')]
    redis = await servers.start(options, { name: 'administrator', password: 'ADMINISTRATOR_PASSWORD' })
  })
  after(() => servers.close())

  it('is enough for the service, which counts requests', async () => {
    await using closing = new AsyncDisposableStack()
    const service = await startTestService({ redisUrl: urlWith('PASSWORD'), clock: createTestClock() })
    closing.defer(service.close)
    const { validate } = tenantClient(service, await createTestTenant(service))
    for (const remaining of ['5999', '5998'])
      expect((await validate('x')).headers.get('x-ratelimit-remaining')).to.equal(remaining)
  })

  it('can neither flush nor list keys, nor read those of others', async () => {
    for (const command of [['FLUSHALL'], ['KEYS', '*'], ['GET', 'other'], ['CONFIG', 'GET', '*']]) {
      expect(await answer('PASSWORD', ...command), command[0]).to.match(/^NOPERM/)
    }
  })

  it('has its password changed without closing a connection, and keeps it when Redis restarts', async () => {
    const client = await connect('PASSWORD')
    await change('>NEW')
    expect([await client.ping(), await answer('NEW', 'PING')]).to.deep.equal(['PONG', 'PONG'])
    client.destroy()
    await redis.restart()
    const renewed = await connect('NEW')
    await change('<PASSWORD')
    expect([await renewed.ping(), await answer('NEW', 'PING')]).to.deep.equal(['PONG', 'PONG'])
    renewed.destroy()
    expect(await answer('PASSWORD', 'PING')).to.match(/^WRONGPASS/)
    expect(await answer('NEW', 'FLUSHALL')).to.match(/^NOPERM/)
  })

  async function store(users: string): Promise<void> {
    await writeFile(join(folder.path, 'users.acl'), users + administrator)
  }

  /** As the documentation says, on each node. */
  async function change(password: string): Promise<void> {
    await asAdministrator('ACL', 'SETUSER', 'verification', password)
    await asAdministrator('ACL', 'SAVE')
  }

  /** A connection that ends for good when the server closes it. */
  async function connect(password: string) {
    const client = createClient({ url: urlWith(password), socket: { reconnectStrategy: false } })
    client.on('error', () => {})
    return await client.connect()
  }

  function urlWith(password: string): string {
    return `redis://verification:${password}@127.0.0.1:${redis.port}`
  }

  /** Its reply or error. */
  async function answer(password: string, ...command: string[]): Promise<unknown> {
    return await sendToRedis(urlWith(password), command).catch((error: Error) => error.message)
  }

  async function asAdministrator(...command: string[]): Promise<void> {
    const reply = await sendToRedis(
      `redis://administrator:ADMINISTRATOR_PASSWORD@127.0.0.1:${redis.port}`,
      command,
    )
    expect(reply).to.equal('OK')
  }
})
