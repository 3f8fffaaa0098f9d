import { once } from 'node:events'
import { expect } from 'chai'
import { revokeApiKey } from '#domain/api-key/revoke-api-key.ts'
import { forTenant } from '#domain/scope.ts'
import { eventually } from '../harness/eventually.ts'
import { expectError } from '../harness/expect-error.ts'
import { connectTo, readResponse } from '../harness/raw-http.ts'
import { countRecords, noRecords } from '../harness/stored.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'

describe('A request whose body arrives late', () => {
  const service = useService()
  const tenant = useNewTenant(service)

  /** Sends the head of a start and half of its body, and waits until the service reads it. */
  async function begin() {
    const socket = await connectTo(service.baseUrl)
    const head = `POST /verify/start HTTP/1.1\r\nHost: a\r\nx-tenant-api-key: ${tenant.apiKey}`
    socket.write(`${head}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{`)
    await eventually(() => service.services.concurrency.counts().idle === 1)
    return socket
  }

  it('is rejected if its API key was revoked meanwhile', async () => {
    const socket = await begin()
    await new Promise(resolve => setTimeout(resolve, 1_500))
    const scope = forTenant(service.operator(), tenant.tenantId)
    await revokeApiKey(scope, { apiKeyId: tenant.apiKeyId })
    socket.write('}')
    expectError(await readResponse(socket), 'UNAUTHENTICATED_TENANT')
    expect(await countRecords(service, tenant.tenantId)).to.deep.equal(noRecords)
    socket.destroy()
  })

  it('is served if its API key still has its access', async () => {
    const socket = await begin()
    await new Promise(resolve => setTimeout(resolve, 1_500))
    socket.write('}')
    expect((await readResponse(socket)).status).to.equal(201)
    socket.destroy()
  })

  it('is rejected if it has not arrived after 10 seconds, and the connection is closed', async function () {
    this.timeout(30_000)
    const socket = await begin()
    const closed = once(socket, 'end')
    const response = await readResponse(socket)
    expectError(response, 'INVALID_REQUEST_BODY')
    expect(response.body.message).to.contain('was not sent in time')
    await closed
    socket.destroy()
  })
})
