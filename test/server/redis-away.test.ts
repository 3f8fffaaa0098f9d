import { expect } from 'chai'
import { ErrorReply } from 'redis'
import { StartError } from '#server/configuration/start-error.ts'
import { isRedisAway } from '#server/redis/redis-away.policy.ts'

const reply = (message: string) => new ErrorReply(message)
const ofSystem = (code: string) => Object.assign(new Error(code), { code })

describe('Redis', () => {
  it('is away, to be waited for, where it cannot be reached or used for now', () => {
    for (const error of [
      ...['ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET'].map(ofSystem),
      new Error('Connection timeout'),
      ...['LOADING Redis is loading', 'CLUSTERDOWN', 'NOREPLICAS', 'ERR max number of clients reached'].map(
        reply,
      ),
      new StartError('Redis rejects writes', { cause: reply('OOM command not allowed') }),
      new Error('the Sentinel a:1: connect', { cause: ofSystem('ECONNREFUSED') }),
    ]) {
      expect(isRedisAway(error), error.message).to.equal(true)
    }
  })

  it('is not away where somebody has to change something', () => {
    for (const error of [
      ...['WRONGPASS', 'NOAUTH Authentication required.', 'NOPERM', 'DENIED', 'ERR unknown command'].map(
        reply,
      ),
      new StartError('Redis 6.2.14 is too old'),
      new StartError('Redis rejects writes', { cause: reply('READONLY') }),
      new Error('the Sentinel a:1: WRONGPASS', { cause: reply('WRONGPASS') }),
      ...['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'EPROTO'].map(ofSystem),
      new TypeError('Invalid URL'),
    ]) {
      expect(isRedisAway(error), error.message).to.equal(false)
    }
  })
})
