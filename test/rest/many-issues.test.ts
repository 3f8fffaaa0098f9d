import { expect } from 'chai'
import { expectError } from '../harness/expect-error.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { useService, useTenant } from '../harness/use-service.ts'

/** The most fields that fit into a body of /tokens/validate, or into the head of a request. */
const inBody = 6_000
const inQuery = 2_000

describe('A request with thousands of invalid fields', () => {
  const service = useService()
  const tenant = useTenant(service)
  const client = tenantClient(service, tenant)

  const names = (count: number) => Array.from({ length: count }, (_, index) => index.toString(36))

  it('gets at most 100 issues about its body, so that the response is no larger than the request', async () => {
    const unknown = Object.fromEntries(names(inBody).map(name => [name, 0]))
    const json = { token: 'x', ...unknown }
    const rejected = await client.send('/tokens/validate', { method: 'POST', json })
    expectError(rejected, 'INVALID_REQUEST_BODY')
    expect(rejected.body.details.issues).to.have.length(100)
  })

  it('gets at most 100 issues about its query', async () => {
    const rejected = await client.send(`/verify/status?${names(inQuery).join('&')}`)
    expectError(rejected, 'INVALID_PARAMETERS')
    expect(rejected.body.details.issues).to.have.length(100)
  })

  it('gets one issue for a parameter that is repeated 800 times', async () => {
    const repeated = Array(800).fill('verificationId=1').join('&')
    const rejected = await client.send(`/verify/status?${repeated}`)
    expectError(rejected, 'INVALID_PARAMETERS')
    expect(rejected.body.details.issues).to.have.length(1)
    expect(rejected.body.details.issues[0]).to.include({ path: 'verificationId' })
  })
})
