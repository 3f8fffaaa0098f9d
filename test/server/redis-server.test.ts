import { createServer } from 'node:net'
import { expect } from 'chai'
import { StartError } from '#server/configuration/start-error.ts'
import { openRedis } from '#server/redis/open-redis.ts'
import { redisServerViolation } from '#server/redis/server-info.policy.ts'
import { describeWithOwnRedis, startTestRedis } from '../harness/engines/redis.ts'
import { createRedisServers, sendToRedis } from '../harness/engines/redis-servers.ts'
import { listenLocally } from '../harness/listen-locally.ts'
import { useOpened } from '../harness/use-opened.ts'

/** Opens a connection that must fail; returns the message of the start error. */
async function rejectionOf(url: string): Promise<string> {
  const error = await openingError(url)
  expect(error).to.be.instanceOf(StartError)
  return error.message
}

async function openingError(url: string): Promise<Error> {
  const error = await openRedis({ mode: 'standalone', url }, { info() {}, warn() {} }).then(
    client => client.destroy(),
    (reason: unknown) => reason,
  )
  expect(error).to.be.instanceOf(Error)
  return error as Error
}

const infoOf = (...lines: string[]) => ['# Server', ...lines, 'redis_mode:standalone', ''].join('\r\n')

describe('The version of Redis', () => {
  const tooOld = (version: string) =>
    `REDIS_URL: Redis ${version} is too old; 7.0 or newer, or Valkey, is required`
  const isCluster = 'REDIS_URL: Redis runs in cluster mode: set REDIS_CLUSTER=true'
  const isSentinel = 'REDIS_URL names a Sentinel: set REDIS_SENTINELS and REDIS_SENTINEL_MASTER instead'
  const isStandalone = 'REDIS_CLUSTER is set, but Redis runs in standalone mode: unset it'
  const modeOf = (mode: string) => `redis_version:7.2.0\r\nredis_mode:${mode}\r\n`

  it('must be 7.0 or newer, or that of Valkey, whichever it reports for compatibility', () => {
    for (const version of ['7.0.0', '7.0.15', '8.2.0', '10.0.0'])
      expect(redisServerViolation(infoOf(`redis_version:${version}`), 'standalone')).to.equal(undefined)
    for (const version of ['6.2.14', '5.0.7', '2.8.4'])
      expect(redisServerViolation(infoOf(`redis_version:${version}`), 'standalone')).to.equal(tooOld(version))
    const valkey = infoOf('redis_version:6.2.14', 'server_name:valkey', 'valkey_version:9.0.0')
    expect(redisServerViolation(valkey, 'standalone')).to.equal(undefined)
    expect(redisServerViolation('', 'standalone')).to.equal(undefined)
  })

  it('is not enough in another mode than the settings say', () => {
    const violations: [string, 'standalone' | 'cluster', string | undefined][] = [
      [modeOf('cluster'), 'cluster', undefined],
      [modeOf('cluster'), 'standalone', isCluster],
      ['valkey_version:8.0.1\r\nserver_mode:cluster\r\n', 'standalone', isCluster],
      [modeOf('standalone'), 'cluster', isStandalone],
      [modeOf('sentinel'), 'standalone', isSentinel],
      [modeOf('sentinel'), 'cluster', isSentinel],
    ]
    for (const [info, expected, violation] of violations)
      expect(redisServerViolation(info, expected), info).to.equal(violation)
  })
})

describe('A connection to Redis', () => {
  let close: (() => Promise<void>) | undefined
  afterEach(() => close?.())

  /** A server that has the reply to INFO, and accepts every other command. */
  async function startFake(infoReply: string): Promise<string> {
    const server = createServer(socket => {
      socket.on('error', () => undefined)
      socket.on('data', bytes => {
        for (const [, name] of bytes.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g)) {
          socket.write(name?.toUpperCase() === 'INFO' ? infoReply : '+OK\r\n')
        }
      })
    })
    const listening = await listenLocally(server)
    close = listening.close
    return `redis://127.0.0.1:${listening.port}`
  }

  it('is rejected with one line if the server is too old', async () => {
    const info = infoOf('redis_version:6.2.14')
    const url = await startFake(`$${info.length}\r\n${info}\r\n`)
    expect(await rejectionOf(url)).to.equal(
      'REDIS_URL: Redis 6.2.14 is too old; 7.0 or newer, or Valkey, is required',
    )
  })

  for (const reply of [
    "-NOPERM User default has no permissions to run the 'info' command",
    "-ERR unknown command 'INFO', with args beginning with: 'server' ",
  ])
    it(`is accepted with a warning if INFO is answered with ${reply}`, async () => {
      const url = await startFake(`${reply}\r\n`)
      const warnings: string[] = []
      const client = await openRedis(
        { mode: 'standalone', url },
        { info() {}, warn: (_fields, message) => warnings.push(message) },
      )
      client.destroy()
      expect(warnings).to.deep.equal([
        'Redis does not let the user of REDIS_URL run INFO: its version is not checked',
      ])
    })
})

describeWithOwnRedis('A Redis server', () => {
  const redis = useOpened(startTestRedis, 'test')

  const send = (...command: string[]) => sendToRedis(redis.url, command)

  for (const command of ['DEL', 'EVALSHA', 'HELLO', 'HGET', 'INCR', 'PING', 'SET']) {
    it(`is rejected with one line, without the password, if it has no command ${command}`, async () => {
      const servers = await createRedisServers('redis-server')
      try {
        const options = ['--requirepass', 'hushhush', '--rename-command', command, '']
        const { url } = await servers.start(options, { name: 'default', password: 'hushhush' })
        const { message } = await openingError(url)
        expect(message).to.match(
          /^[^\n]*unknown (redis )?command [^\n]* \(needed are DEL, [^\n]* and SET: see rename-command/i,
        )
        expect(message).not.to.include('hushhush')
      } finally {
        await servers.close()
      }
    })
  }

  for (const key of ['age-verification:id', 'age-verification:probe', 'age-verification:start-check']) {
    it(`is rejected with the name of the key if another program has its own ${key}`, async () => {
      await send('LPUSH', key, 'theirs')
      expect(await rejectionOf(redis.url)).to.equal(
        `REDIS_URL: the key ${key} of Redis has not what the service stores there: delete it, and let nothing else use age-verification:*`,
      )
      expect(await send('LLEN', key)).to.equal(1)
    })
  }

  it('stops the start if it is a read-only replica', async () => {
    await send('REPLICAOF', '127.0.0.1', '1')
    expect(await rejectionOf(redis.url)).to.match(/^REDIS_URL: Redis rejects writes: READONLY [^\n]+$/)
  })
})
