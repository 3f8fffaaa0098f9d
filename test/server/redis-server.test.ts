import { expect } from 'chai'
import { openRedis } from '#server/redis/open-redis.ts'
import { describeWithOwnRedis, startTestRedis } from '../harness/engines/redis.ts'
import { createRedisServers, sendToRedis } from '../harness/engines/redis-servers.ts'
import { useOpened } from '../harness/use-opened.ts'

/** The message with which a server is refused that cannot count. */
async function refusalOf(url: string): Promise<string> {
  const error = await openRedis(url, { info() {}, warn() {} }).then(
    client => client.destroy(),
    (reason: unknown) => reason,
  )
  expect(error).to.be.instanceOf(Error)
  return (error as Error).message
}

describeWithOwnRedis('A Redis server', () => {
  const redis = useOpened(startTestRedis, 'test')

  for (const command of ['EVALSHA', 'HELLO', 'INCR']) {
    it(`is refused with one line, without the password, if it has no command ${command}`, async () => {
      const servers = await createRedisServers('redis-server')
      try {
        const options = ['--requirepass', 'hushhush', '--rename-command', command, '']
        const { url } = await servers.start(options, { name: 'default', password: 'hushhush' })
        const message = await refusalOf(url)
        expect(message).to.match(/^[^\n]*unknown (redis )?command/i)
        expect(message).not.to.include('hushhush')
      } finally {
        await servers.close()
      }
    })
  }

  it('is refused, and left as it is, if another program uses the names of its keys', async () => {
    const key = 'age-verification:probe'
    await sendToRedis(redis.url, ['LPUSH', key, 'theirs'])
    expect(await refusalOf(redis.url)).to.match(/^WRONGTYPE /)
    expect(await sendToRedis(redis.url, ['LLEN', key])).to.equal(1)
  })

  it('is refused if it is a read-only replica', async () => {
    await sendToRedis(redis.url, ['REPLICAOF', '127.0.0.1', '1'])
    expect(await refusalOf(redis.url)).to.match(/^READONLY [^\n]+$/)
  })
})
