import { expect } from 'chai'
import { readConfig } from '#server/configuration/config.ts'
import { findConfigErrors } from './config-errors.ts'

describe('The settings of Redis', () => {
  const redisOf = (env: Record<string, string>) => readConfig(env).redis
  const violationsOf = (env: Record<string, string>) => findConfigErrors(() => readConfig(env))

  it('are of one server, a primary that Sentinels name, a cluster, or none', () => {
    expect(redisOf({})).to.equal(undefined)
    expect(redisOf({ REDIS_URL: 'rediss://one:6379/2' })).to.deep.equal({
      mode: 'standalone',
      url: 'rediss://one:6379/2',
    })
    const sentinels = { REDIS_SENTINELS: 's1:26379, [::1]:26380', REDIS_SENTINEL_MASTER: 'primary' }
    expect(redisOf({ ...sentinels, REDIS_ALLOW_PLAINTEXT: 'true' })).to.deep.equal({
      mode: 'sentinel',
      sentinels: ['redis://s1:26379', 'redis://[::1]:26380'],
      primaryName: 'primary',
      url: 'redis://primary',
    })
    const url = 'rediss://user:password@unused/3'
    const secured = { ...sentinels, REDIS_SENTINELS: 'rediss://:secret@s1:26379', REDIS_URL: url }
    expect(redisOf(secured)).to.deep.include({ sentinels: ['rediss://:secret@s1:26379'], url })
    const cluster = { REDIS_URL: 'rediss://:a,b@one:6379,rediss://:a,b@two:6379', REDIS_CLUSTER: 'true' }
    expect(redisOf(cluster)).to.deep.equal({
      mode: 'cluster',
      urls: ['rediss://:a,b@one:6379', 'rediss://:a,b@two:6379'],
    })
  })

  it('are enough for several processes without REDIS_URL', () => {
    const sentinels = { REDIS_SENTINELS: 'localhost:26379', REDIS_SENTINEL_MASTER: 'primary' }
    expect(violationsOf({ ...sentinels, WEB_CONCURRENCY: '2' })).to.deep.equal([])
    expect(violationsOf({ WEB_CONCURRENCY: '2' })).to.deep.equal([
      'WEB_CONCURRENCY above 1 needs REDIS_URL or REDIS_SENTINELS: rate limits in memory apply to one process only',
    ])
  })

  it('that do not fit together are rejected with a line each', () => {
    const one = 'rediss://one:6379'
    const rejected: [Record<string, string>, string][] = [
      [
        { REDIS_SENTINELS: 's1:26379' },
        'REDIS_SENTINEL_MASTER is required with REDIS_SENTINELS: the name of the monitored primary',
      ],
      [{ REDIS_SENTINEL_MASTER: 'primary' }, 'REDIS_SENTINELS is required with REDIS_SENTINEL_MASTER'],
      [
        {
          REDIS_SENTINELS: 's1:26379',
          REDIS_SENTINEL_MASTER: 'primary',
          REDIS_CLUSTER: 'true',
          REDIS_URL: one,
        },
        'REDIS_CLUSTER and REDIS_SENTINELS are both set: unset one of them',
      ],
      [
        { REDIS_CLUSTER: 'true' },
        'REDIS_URL is required with REDIS_CLUSTER: the address of a node of the cluster',
      ],
      [
        { REDIS_CLUSTER: 'true', REDIS_URL: `${one}/1` },
        'REDIS_URL must not name a database with REDIS_CLUSTER: a cluster has only one',
      ],
      [
        { REDIS_URL: `${one},rediss://two:6379` },
        'REDIS_URL has several addresses: only a cluster can, with REDIS_CLUSTER=true',
      ],
      [
        { REDIS_SENTINELS: 's1', REDIS_SENTINEL_MASTER: 'primary' },
        'REDIS_SENTINELS must be a comma-separated list of host:port, or of URLs such as rediss://user:password@host:port',
      ],
    ]
    for (const [env, line] of rejected) expect(violationsOf(env)).to.deep.equal([line])
  })

  it('lead to another machine with TLS only, unless REDIS_ALLOW_PLAINTEXT says otherwise', () => {
    const by = (sentinels: string, url = '') => ({
      REDIS_SENTINELS: sentinels,
      REDIS_SENTINEL_MASTER: 'primary',
      REDIS_URL: url,
    })
    const cluster = (url: string) => ({ REDIS_URL: url, REDIS_CLUSTER: 'true' })
    const oneServer =
      'REDIS_URL leads to another machine without TLS: use rediss://, or set REDIS_ALLOW_PLAINTEXT=true if the network is trusted'
    const sentinels =
      'REDIS_SENTINELS leads to another machine without TLS: use rediss:// there and in REDIS_URL, or set REDIS_ALLOW_PLAINTEXT=true if the network is trusted'
    const rejected: [Record<string, string>, string][] = [
      [{ REDIS_URL: 'redis://user:hush@redis/0' }, oneServer],
      [{ REDIS_URL: 'redis://10.0.0.5:6379' }, oneServer],
      [{ REDIS_URL: 'redis://[fd00::5]:6379' }, oneServer],
      [cluster('redis://127.0.0.1:6379,redis://two:6379'), oneServer],
      [by('s1:26379'), sentinels],
      [by('s1:26379', 'rediss://primary'), sentinels],
      [by('rediss://s1:26379'), sentinels],
      [by('rediss://s1:26379', 'redis://user:hush@primary'), sentinels],
    ]
    for (const [env, line] of rejected) {
      expect(violationsOf(env), JSON.stringify(env)).to.deep.equal([line])
      expect(violationsOf({ ...env, REDIS_ALLOW_PLAINTEXT: 'false' })).to.deep.equal([line])
      expect(violationsOf({ ...env, REDIS_ALLOW_PLAINTEXT: 'true' })).to.deep.equal([])
    }
    for (const env of [
      { REDIS_URL: 'redis://127.0.0.1:6379' },
      { REDIS_URL: 'redis://localhost' },
      { REDIS_URL: 'redis://[::1]:6379/1' },
      { REDIS_URL: 'rediss://redis.example' },
      cluster('redis://127.0.0.1:6379,redis://127.0.0.2:6379'),
      by('127.0.0.1:26379,[::1]:26380'),
      by('rediss://s1:26379', 'rediss://primary'),
    ]) {
      expect(violationsOf(env), JSON.stringify(env)).to.deep.equal([])
    }
  })
})
