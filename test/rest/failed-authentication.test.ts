import { expect } from 'chai'
import { newKeyValue } from '#domain/api-key/key-value.ts'
import { expectError } from '../harness/expect-error.ts'
import { statementsDuring } from '../harness/statements-during.ts'
import { call, tenantClient } from '../harness/tenant-client.ts'
import { createTestTenant } from '../harness/test-service.ts'
import { useService } from '../harness/use-service.ts'

const failures = 20

/** So many at once. */
const repeat = <Result>(work: () => Promise<Result>) => Promise.all(Array.from({ length: failures }, work))

describe('Failed authentications', () => {
  const service = useService()

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
})
