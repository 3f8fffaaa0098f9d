import { expect } from 'chai'
import { newKeyValue } from '#domain/api-key/key-value.ts'
import { describeWithRedis } from '../harness/engines/redis.ts'
import { sendToRedis } from '../harness/engines/redis-servers.ts'
import { expectError } from '../harness/expect-error.ts'
import { statementsDuring } from '../harness/statements-during.ts'
import { call, tenantClient } from '../harness/tenant-client.ts'
import { createTestClock } from '../harness/test-clock.ts'
import { createTestTenant } from '../harness/test-service.ts'
import { useService } from '../harness/use-service.ts'

const failures = 20

/** So many at once. */
const repeat = <Result>(work: () => Promise<Result>) => Promise.all(Array.from({ length: failures }, work))

function describeFailures(options: { redis: boolean }): void {
  const clock = createTestClock()
  const service = useService({ clock, ...options })

  const validate = (apiKey: string) =>
    tenantClient(service, { apiKey }).send('/tokens/validate', { method: 'POST', json: { token: 'x' } })

  const fail = (apiKey: () => string) =>
    repeat(async () => expectError(await validate(apiKey()), 'UNAUTHENTICATED_TENANT'))

  it('are 401 each time, for mistyped and made-up keys alike, and limit no valid key of the same address', async () => {
    const { apiKey } = await createTestTenant(service)
    await fail(() => 'avk_mistyped')
    await fail(() => newKeyValue())
    expectError(await validate(''), 'UNAUTHENTICATED_TENANT')
    expect((await validate(apiKey)).status).to.equal(200)
  })

  it('with made-up keys that arrive together share look-ups', async () => {
    const statements = await statementsDuring(() => repeat(() => validate(newKeyValue())))
    expect(statements.filter(name => name.startsWith('find-key-access')).length).to.be.below(failures)
  })

  it('limit nobody on the console', async () => {
    await repeat(async () =>
      expect((await call(`${service.baseUrl}/console/session.me`)).status).to.equal(401),
    )
  })
}

describe('Failed authentications, with rate limits in memory', () => describeFailures({ redis: false }))

describeWithRedis('Failed authentications, with rate limits in Redis', () =>
  describeFailures({ redis: true }),
)

describeWithRedis('Keys that do not exist', () => {
  const service = useService({ redis: true })

  it('leave nothing in Redis', async () => {
    const { url } = service.redis!
    const entries = async () => ((await sendToRedis(url, ['KEYS', '*key:*'])) as string[]).length
    const before = await entries()
    const { send } = tenantClient(service, { apiKey: newKeyValue() })
    const response = await send('/tokens/validate', { method: 'POST', json: { token: 'x' } })
    expectError(response, 'UNAUTHENTICATED_TENANT')
    expect(await entries()).to.equal(before)
  })
})
