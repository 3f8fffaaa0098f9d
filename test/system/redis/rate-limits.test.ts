import { expect } from 'chai'
import { newKeyValue } from '#domain/api-key/key-value.ts'
import { describeWithRedis, startTestRedis } from '../../harness/engines/redis.ts'
import { sendToRedis } from '../../harness/engines/redis-servers.ts'
import { expectError } from '../../harness/expect-error.ts'
import { inWaves } from '../../harness/in-waves.ts'
import { tenantClient } from '../../harness/tenant-client.ts'
import { createTestClock } from '../../harness/test-clock.ts'
import { createTestTenant } from '../../harness/test-service.ts'
import { useOpened } from '../../harness/use-opened.ts'
import { useService } from '../../harness/use-service.ts'

describeWithRedis('Rate limits of two processes that share a Redis', () => {
  const clock = createTestClock()
  const redis = useOpened(startTestRedis)
  const one = useService(() => ({ clock, redisUrl: redis.url }))
  const two = useService(() => ({ clock, redisUrl: redis.url, databaseUrl: one.databaseUrl }))

  it('allow exactly the limit of 150 concurrent writes of a key, each minute, and count reads and other keys apart', async () => {
    const { apiKey } = await createTestTenant(one)
    const clients = [one, two].map(service => tenantClient(service, { apiKey }))
    for (const _minute of [1, 2]) {
      const complete = (i: number) => clients[i % 2]!.send('/verify/complete', { method: 'POST' })
      const responses = await inWaves(150, complete)
      expect(responses.filter(({ status }) => status === 400)).to.have.length(60)
      expect(responses.filter(({ status }) => status === 429)).to.have.length(90)
      expect((await clients[0]!.validate('x')).status).to.equal(200)
      expect((await tenantClient(two, await createTestTenant(one)).start()).status).to.equal(201)
      clock.advance(60_000)
    }
  })

  it('leave nothing in Redis of keys that do not exist, and no counter without an end', async () => {
    const all = async () => (await sendToRedis(redis.url, ['KEYS', '*'])) as string[]
    // The probe of the processes has a key, which ends when it is late.
    const keys = async () => (await all()).filter(key => key !== 'age-verification:probe')
    const before = await keys()
    expectError(await tenantClient(one, { apiKey: newKeyValue() }).validate('x'), 'UNAUTHENTICATED_TENANT')
    expect(before).to.include.members(await keys())
    await tenantClient(one, await createTestTenant(one)).validate('x')
    const [added] = (await keys()).filter(key => !before.includes(key))
    expect(await sendToRedis(redis.url, ['PTTL', added!])).to.be.within(1, 120_000)
  })
})
