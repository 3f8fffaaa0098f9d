import { expect } from 'chai'
import { readConfig } from '#server/configuration/config.ts'
import { findConfigErrors } from './config-errors.ts'

describe('The settings of Redis', () => {
  const violationsOf = (env: Record<string, string>) => findConfigErrors(() => readConfig(env))

  it('are one address, or none', () => {
    expect(readConfig({}).redisUrl).to.equal(undefined)
    for (const url of ['rediss://one:6379/2', 'rediss://:a,b@one:6379']) {
      expect(readConfig({ REDIS_URL: url }).redisUrl).to.equal(url)
    }
    for (const url of [
      'rediss://one:6379,rediss://two:6379',
      'rediss://one:6379,two:6379/0',
      'rediss://:a,b@one:6379,rediss://:a,b@two:6379',
    ]) {
      expect(violationsOf({ REDIS_URL: url })).to.deep.equal([
        'REDIS_URL has several addresses: name one, such as that of HAProxy in front of Sentinels (docs/redis.md)',
      ])
    }
    expect(violationsOf({ REDIS_URL: 'http://one' })).to.deep.equal([
      'REDIS_URL must be a URL that starts with redis:// or rediss://',
    ])
  })

  it('lead to another machine with TLS only, unless REDIS_ALLOW_PLAINTEXT says otherwise', () => {
    const line =
      'REDIS_URL leads to another machine without TLS: use rediss://, or set REDIS_ALLOW_PLAINTEXT=true if the network is trusted'
    for (const url of ['redis://user:hush@redis/0', 'redis://10.0.0.5:6379', 'redis://[fd00::5]:6379']) {
      expect(violationsOf({ REDIS_URL: url })).to.deep.equal([line])
      expect(violationsOf({ REDIS_URL: url, REDIS_ALLOW_PLAINTEXT: 'false' })).to.deep.equal([line])
      expect(violationsOf({ REDIS_URL: url, REDIS_ALLOW_PLAINTEXT: 'true' })).to.deep.equal([])
    }
    for (const url of [
      'redis://127.0.0.1:6379',
      'redis://localhost',
      'redis://[::1]:6379/1',
      'rediss://redis.example',
    ]) {
      expect(violationsOf({ REDIS_URL: url })).to.deep.equal([])
    }
  })
})
