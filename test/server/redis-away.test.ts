import { expect } from 'chai'
import { ErrorReply } from 'redis'
import { isRedisAway } from '#server/redis/redis-away.policy.ts'

const reply = (message: string) => new ErrorReply(message)
const ofSystem = (code: string) => Object.assign(new Error(code), { code })

describe('Redis', () => {
  it('is away, to be waited for, where it cannot be reached or used for now', () => {
    for (const error of [
      ...['ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET'].map(ofSystem),
      new Error('Connection timeout'),
      ...['LOADING Redis is loading', 'NOREPLICAS', 'ERR max number of clients reached'].map(reply),
    ]) {
      expect(isRedisAway(error), error.message).to.equal(true)
    }
  })

  it('is not away where somebody has to change something', () => {
    for (const error of [
      ...['WRONGPASS', 'NOAUTH Authentication required.', 'NOPERM', 'DENIED', 'ERR unknown command'].map(
        reply,
      ),
      ...['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'EPROTO'].map(ofSystem),
      new TypeError('Invalid URL'),
    ]) {
      expect(isRedisAway(error), error.message).to.equal(false)
    }
  })
})
