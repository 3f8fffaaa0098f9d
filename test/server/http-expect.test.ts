import { expect } from 'chai'
import type { ErrorCode } from '#domain/error-codes.ts'
import { startSignInProvider } from '../console-api/sign-in-provider.ts'
import { connectTo, readResponse, sendRaw } from '../harness/raw-http.ts'
import { useOpened } from '../harness/use-opened.ts'
import { useService, useTenant } from '../harness/use-service.ts'

const go = 'HTTP/1.1 100 Continue\r\n\r\n'

describe('A request that expects 100 Continue', () => {
  const signIn = useOpened(() => startSignInProvider(() => new Date()))
  const service = useService(() => ({ issuer: signIn.issuer }))
  const tenant = useTenant(service)

  const head = (target: string, headers: string[], expectation = '100-continue') =>
    [`POST ${target} HTTP/1.1`, 'Host: a', `Expect: ${expectation}`, ...headers, '', ''].join('\r\n')
  const key = () => `x-tenant-api-key: ${tenant.apiKey}`
  const json = 'Content-Type: application/json'
  const callback = () => [`x-auth-client: ${service.veriff.apiKey}`, `x-hmac-signature: ${'0'.repeat(64)}`]

  const refused: [string, code: ErrorCode, target: string, headers: () => string[]][] = [
    ['without a key', 'UNAUTHENTICATED_TENANT', '/verify/start', () => [json, 'Content-Length: 2']],
    ['to no route', 'ROUTE_NOT_FOUND', '/verify/nowhere', () => [json, 'Content-Length: 2']],
    ['with another method', 'ROUTE_NOT_FOUND', '/verify/status', () => [key(), json, 'Content-Length: 2']],
    ['too large', 'INVALID_REQUEST_BODY', '/verify/start', () => [key(), json, 'Content-Length: 20000']],
    ['of another type', 'INVALID_REQUEST_BODY', '/verify/start', () => [key(), 'Content-Length: 2']],
    ['as a callback without credentials', 'FORBIDDEN', '/verify/callback', () => [json, 'Content-Length: 2']],
    ['by the console', 'UNAUTHENTICATED_TENANT', '/console/tenant.update', () => [json, 'Content-Length: 2']],
  ]
  for (const [title, code, target, headers] of refused) {
    it(`is rejected before it sends its body: ${title}`, async () => {
      const socket = await connectTo(service.baseUrl)
      socket.write(head(target, headers()))
      const { statusLine, body, headers: sent } = await readResponse(socket, true)
      expect(statusLine).to.match(/^HTTP\/1\.1 4\d\d /)
      expect(body.error.data?.error ?? body.error).to.equal(code)
      expect(sent.get('connection')).to.equal('close')
      socket.destroy()
    })
  }

  const accepted: [string, status: number, target: string, headers: () => Promise<string[]> | string[]][] = [
    ['to the tenant API', 201, '/verify/start', () => [key(), json]],
    ['as a callback, whose signature is judged with it', 403, '/verify/callback', callback],
    [
      'to the console',
      400,
      '/console/tenant.provision',
      async () => [json, `Authorization: Bearer ${await signIn.sign()}`],
    ],
  ]
  for (const [title, status, target, headers] of accepted) {
    for (const [framing, body] of [
      ['Content-Length: 2', '{}'],
      ['Transfer-Encoding: chunked', '2\r\n{}\r\n0\r\n\r\n'],
    ] as const) {
      it(`is asked for its body: ${title}, with ${framing}`, async () => {
        const socket = await connectTo(service.baseUrl)
        socket.write(head(target, [...(await headers()), framing]))
        const asked = await new Promise<Buffer>(resolve => socket.once('data', resolve))
        expect(asked.toString()).to.equal(go)
        const response = readResponse(socket)
        socket.write(body)
        expect((await response).status).to.equal(status)
        socket.destroy()
      })
    }
  }

  it('is served if it does not wait, or expects something else', async () => {
    const headers = [key(), json, 'Content-Length: 2', 'Connection: close']
    const whole = (expectation: string) => `${head('/verify/start', headers, expectation)}{}`
    expect((await sendRaw(service.baseUrl, whole('tea'))).status).to.equal(201)
    const { statusLine, rest } = await sendRaw(service.baseUrl, whole('100-Continue'), {
      untilClosed: true,
    })
    expect(`${statusLine}\r\n\r\n`).to.equal(go)
    expect(rest).to.match(/^HTTP\/1\.1 201 /)
  })
})
