import { expect } from 'chai'
import { revokeApiKey } from '#domain/api-key/revoke-api-key.ts'
import { forTenant } from '#domain/scope.ts'
import { eventually } from '../harness/eventually.ts'
import { expectError } from '../harness/expect-error.ts'
import { connectTo, readResponse } from '../harness/raw-http.ts'
import { countRecords } from '../harness/stored.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'

describe('A request whose body arrives late', () => {
  const service = useService()
  const tenant = useNewTenant(service)

  /** Sends the head of a start and half of its body, and waits until the service reads so many. */
  async function begin(reading = 1) {
    const socket = await connectTo(service.baseUrl)
    const head = `POST /verify/start HTTP/1.1\r\nHost: a\r\nx-tenant-api-key: ${tenant.apiKey}`
    socket.write(`${head}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{`)
    await eventually(() => service.services.concurrency.counts().idle === reading)
    return socket
  }

  it('is served, and rejected if the API key was revoked meanwhile', async () => {
    const sockets = [await begin(1), await begin(2)] as const
    // An admission holds for a second.
    const begunAt = performance.now()
    await eventually(() => performance.now() > begunAt + 1_000)
    sockets[0].write('}')
    expect((await readResponse(sockets[0])).status).to.equal(201)
    const scope = forTenant(service.operator(), tenant.tenantId)
    await revokeApiKey(scope, { apiKeyId: tenant.apiKeyId })
    sockets[1].write('}')
    expectError(await readResponse(sockets[1]), 'UNAUTHENTICATED_TENANT')
    expect(await countRecords(service, tenant.tenantId)).to.include({ verifications: 1, used: 1 })
    for (const socket of sockets) socket.destroy()
  })
})
