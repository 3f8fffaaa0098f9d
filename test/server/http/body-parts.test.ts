import { expect } from 'chai'
import { connectTo, readResponse } from '../../harness/raw-http.ts'
import { call, tenantClient } from '../../harness/tenant-client.ts'
import { useService, useTenant } from '../../harness/use-service.ts'

/** As many as a client's first segments hold. */
const chunks = '1\r\na\r\n'.repeat(20_000)

describe('A body of one-byte chunks', () => {
  const service = useService()
  const tenant = useTenant(service, { test: true })

  async function send(target: string, headers: string[] = []) {
    const socket = await connectTo(service.baseUrl)
    const ended = new Promise(resolve => socket.once('close', resolve))
    const head = [`POST ${target} HTTP/1.1`, 'Host: a', 'Transfer-Encoding: chunked', ...headers]
    socket.write(`${head.join('\r\n')}\r\n\r\n${chunks}`)
    const response = await readResponse(socket)
    socket.end()
    await ended
    return response
  }

  const json = 'Content-Type: application/json'
  const requests: [name: string, send: () => Promise<{ status: number }>][] = [
    ['of a tenant', () => send('/tokens/validate', [json, `x-tenant-api-key: ${tenant.apiKey}`])],
    [
      'of a callback with the public key of the provider',
      () =>
        send('/verify/callback', [
          json,
          `x-auth-client: ${service.veriff.apiKey}`,
          `x-hmac-signature: ${'0'.repeat(64)}`,
        ]),
    ],
    [
      'of the page of a test session',
      async () => {
        const { body } = await tenantClient(service, tenant).start()
        return await send(`${new URL(body.sessionUrl).pathname}/decide`, [
          'Content-Type: application/x-www-form-urlencoded',
        ])
      },
    ],
  ]
  for (const [name, begin] of requests) {
    it(`${name} is read up to a thousand of them, and answered with 400 and the end of the connection`, async () => {
      expect((await begin()).status).to.equal(400)
      expect((await call(`${service.baseUrl}/health/live`)).status).to.equal(200)
    })
  }
})
