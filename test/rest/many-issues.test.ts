import { expect } from 'chai'
import { expectError } from '#test/support/expect-error.ts'
import { tenantClient } from '#test/support/tenant-client.ts'
import { useService, useTenant } from '#test/support/use-service.ts'

/** The most that a body of /tokens/validate, or the head of a request, has room for. */
const inBody = 6_000
const inQuery = 2_000

describe('A request with thousands of faults', () => {
  const service = useService()
  const tenant = useTenant(service)
  const client = tenantClient(service, tenant)

  const names = (count: number) => Array.from({ length: count }, (_, index) => index.toString(36))

  it('of a body is told 100 of them, so that the answer is no larger than the question', async () => {
    const unknown = Object.fromEntries(names(inBody).map(name => [name, 0]))
    const json = { token: 'x', ...unknown }
    const refused = await client.send('/tokens/validate', { method: 'POST', json })
    expectError(refused, 'INVALID_REQUEST_BODY')
    expect(refused.body.details.issues).to.have.length(100)
  })

  it('of a query is told 100 of them', async () => {
    const refused = await client.send(`/verify/status?${names(inQuery).join('&')}`)
    expectError(refused, 'INVALID_PARAMETERS')
    expect(refused.body.details.issues).to.have.length(100)
  })

  it('of a parameter that is named again and again has one', async () => {
    const repeated = Array(800).fill('verificationId=1').join('&')
    const refused = await client.send(`/verify/status?${repeated}`)
    expectError(refused, 'INVALID_PARAMETERS')
    expect(refused.body.details.issues).to.have.length(1)
    expect(refused.body.details.issues[0]).to.include({ path: 'verificationId' })
  })
})
