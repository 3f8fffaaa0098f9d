import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import type { RedisSettings } from '#server/configuration/redis-settings.ts'
import { StartError } from '#server/configuration/start-error.ts'
import { openRedis, type Redis } from '#server/redis/open-redis.ts'
import { createSentinels } from '#server/redis/sentinel/sentinels.ts'
import { describeForEachServer } from '../../harness/engines/redis.ts'
import {
  createRedisServers,
  type RedisServer,
  type RedisServers,
} from '../../harness/engines/redis-servers.ts'
import { eventually } from '../../harness/eventually.ts'

const primaryName = 'verification'
const log = { info() {}, warn() {} }

describeForEachServer('Sentinels', function (program) {
  this.timeout(60_000)
  let servers: RedisServers
  let primary: RedisServer
  let sentinels: [RedisServer, RedisServer]
  let redis: Redis | undefined
  beforeEach(async () => {
    servers = await createRedisServers(program)
    primary = await servers.start([])
    sentinels = await Promise.all([startSentinel(), startSentinel()])
  })
  afterEach(async () => {
    redis?.destroy()
    await servers.close()
  })

  const startSentinel = (epoch = 0, { port } = primary) =>
    servers.startSentinel(
      () =>
        `sentinel monitor ${primaryName} 127.0.0.1 ${port} 1\nsentinel config-epoch ${primaryName} ${epoch}\n`,
    )
  const settingsOf = (...nodes: RedisServer[]): Extract<RedisSettings, { mode: 'sentinel' }> => ({
    mode: 'sentinel',
    sentinels: nodes.map(({ url }) => url),
    primaryName,
    url: 'redis://primary',
  })

  it('that hang or end, even all of them, leave the connection to the primary as it is', async () => {
    redis = await openRedis(settingsOf(...sentinels), log)
    const { commands } = redis
    const untilSent = async (ms: number) => {
      const startedAt = performance.now()
      while (performance.now() - startedAt < ms) {
        await commands.hit('age-verification:window:x', 10_000)
        await wait(10)
      }
    }
    // A Sentinel that hangs is noticed after 2 s.
    sentinels[0].process.kill('SIGSTOP')
    await untilSent(4_000)
    await sentinels[1].kill()
    await untilSent(2_000)
    sentinels[0].process.kill('SIGCONT')
  })

  it('are believed if their configuration is the newest', async () => {
    const promoted = await servers.start([])
    const newest = await startSentinel(7, promoted)
    for (const order of [
      [sentinels[0], newest],
      [newest, sentinels[0]],
    ]) {
      const asked = createSentinels(settingsOf(...order))
      expect(await asked.findPrimary()).to.deep.equal({ host: '127.0.0.1', port: promoted.port })
      asked.destroy()
    }
  })

  it('have the user and password of their own URLs', async () => {
    await sentinels[0].send('ACL', 'SETUSER', 'verification', 'on', '>hush', '+@all')
    await sentinels[0].send('ACL', 'SETUSER', 'default', 'off')
    const settings = settingsOf(...sentinels)
    const own = settings.sentinels[0]!.replace('redis://', 'redis://verification:hush@')
    for (const urls of [[own], [own, settings.sentinels[1]!]]) {
      const asked = createSentinels({ ...settings, sentinels: urls })
      expect(await asked.findPrimary()).to.deep.equal({ host: '127.0.0.1', port: primary.port })
      asked.destroy()
    }
  })

  it('that monitor no such primary, or are none, stop the start', async () => {
    const rejectionOf = (settings: RedisSettings) =>
      eventually(async () => {
        const error = await openRedis(settings, log).catch((reason: unknown) => reason)
        expect(error).to.be.instanceOf(StartError)
        return (error as StartError).message
      })
    expect(await rejectionOf({ ...settingsOf(...sentinels), primaryName: 'other' })).to.match(
      /^REDIS_SENTINEL_MASTER: the Sentinel 127\.0\.0\.1:\d+ monitors no primary named other$/,
    )
    expect(await rejectionOf(settingsOf(primary))).to.equal(
      `REDIS_SENTINELS: 127.0.0.1:${primary.port} is not a Sentinel`,
    )
  })
})
