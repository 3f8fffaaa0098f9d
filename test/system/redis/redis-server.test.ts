import { expect } from 'chai'
import { checkRedis } from '#operator/doctor/check-redis.ts'
import { readConfig } from '#server/configuration/config.ts'
import { errorFields } from '#server/logging/error-fields.ts'
import { openRedis } from '#server/redis/open-redis.ts'
import { describeWithRedis, startTestRedis } from '../../harness/engines/redis.ts'
import { createRedisServers, sendToRedis } from '../../harness/engines/redis-servers.ts'
import { useOpened } from '../../harness/use-opened.ts'

const silent = { info() {}, warn() {} }

/** The message with which a server is refused that cannot count. */
async function refusalOf(url: string): Promise<string> {
  const error = await openRedis(url, silent).then(
    client => client.destroy(),
    (reason: unknown) => reason,
  )
  expect(error).to.be.instanceOf(Error)
  return (error as Error).message
}

describeWithRedis('A Redis server', () => {
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

  it('has the first word of a failed reply in the log, and no values', async () => {
    const client = await openRedis(redis.url, silent)
    await sendToRedis(redis.url, ['HSET', 'private-key', 'private', 'value'])
    const fields = errorFields(await client.count('private-key', 1_000).catch((reason: unknown) => reason))
    client.destroy()
    expect(fields).to.include({ type: 'SimpleError', reply: 'WRONGTYPE' })
    expect(JSON.stringify(fields)).not.to.include('private-key')
  })

  it('is in order for the doctor while it accepts writes, and a fault while it does not', async () => {
    const diagnose = () => checkRedis(readConfig({ REDIS_URL: redis.url }))
    expect(await diagnose()).to.include({ name: 'redis', ok: true, message: 'accepts writes' })
    const faults: [string[], RegExp][] = [
      [['CONFIG', 'SET', 'maxmemory', '1'], /: OOM .*: raise maxmemory/],
      [['REPLICAOF', '127.0.0.1', '1'], /: READONLY .*: it must lead to the primary/],
      [['CONFIG', 'SET', 'requirepass', 'other'], /: (NOAUTH|WRONGPASS) .*: compare the user and password/],
    ]
    for (const [command, expected] of faults) {
      await sendToRedis(redis.url, command)
      const { ok, message } = await diagnose()
      expect(ok).to.equal(false)
      expect(message)
        .to.match(/^REDIS_URL: Redis cannot be used: /)
        .and.match(expected)
    }
  })
})
