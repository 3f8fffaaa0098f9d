import { createServer } from 'node:http'
import { expect } from 'chai'
import { type SentResponse, undeclaredPartOf } from '../harness/declared-responses.ts'
import { listenLocally } from '../harness/listen-locally.ts'
import { takeUndeclared } from '../harness/run/check-responses.ts'
import { call } from '../harness/tenant-client.ts'

const id = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1'
const requestId = '7cf9b0dc-1e3d-4699-8944-a4bcfb141e31'
const window = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59', 'x-ratelimit-reset': '1769860860' }
const ofEvery = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': requestId }

const status = {
  verificationId: id,
  status: 'pending',
  confidence: null,
  createdAt: '2026-01-31T11:58:12.431Z',
  completedAt: null,
}

interface Changes extends Partial<Omit<SentResponse, 'headers' | 'body'>> {
  headers?: Record<string, string>
  without?: string
  body?: unknown
}

/** A declared response to `GET /verify/status`, with changes. */
function sent({ headers, without, body = status, ...changes }: Changes = {}): SentResponse {
  const all = new Headers({ ...ofEvery, ...window, ...headers })
  if (without) all.delete(without)
  return {
    method: 'GET',
    target: `/verify/status?verificationId=${id}`,
    status: 200,
    headers: all,
    body: JSON.stringify(body),
    ...changes,
  }
}

const error = (code: string, more: object = {}) => ({
  error: code,
  message: 'A sentence.',
  requestId,
  ...more,
})

const failed = (status: number, code: string, more?: object) => sent({ status, body: error(code, more) })
const withHeader = (name: string, value: string) => sent({ headers: { [name]: value } })
const withField = (field: object) => sent({ body: { ...status, ...field } })

const teapot = 'getVerificationStatus has no response 418: {"error":"TEAPOT"}'
describe('A response of the tenant API', () => {
  const elsewhere = (code: string) => sent({ target: '/nowhere', status: 404, body: error(code) })
  for (const [title, response] of [
    ['a status', sent()],
    ['an error with one of the codes', failed(404, 'VERIFICATION_NOT_FOUND')],
    ['an error of a path that is not declared', elsewhere('ROUTE_NOT_FOUND')],
    ['a response of something else', sent({ target: '/health/live', body: { status: 'ok' } })],
  ] as const) {
    it(`is declared: ${title}`, () => {
      expect(undeclaredPartOf(response)).to.equal(undefined)
    })
  }

  for (const [title, response, part] of [
    ['a status', sent({ status: 202 }), /no response 202/],
    ['a missing header', sent({ without: 'x-ratelimit-reset' }), /X-RateLimit-Reset: missing/],
    ['a header', sent({ headers: { 'retry-after': '5' } }), /has the header retry-after/],
    ['a header out of bounds', withHeader('x-ratelimit-remaining', '-1'), /X-RateLimit-Remaining: .*>= 0/],
    ['a media type', withHeader('content-type', 'text/html'), /no content of the type "text\/html"/],
    ['a missing field', withField({ createdAt: undefined }), /createdAt/],
    ['a value', withField({ status: 'unknown' }), /status must be equal to one of/],
    ['a field', withField({ secret: 1 }), /must NOT have additional properties/],
    ['a code of another operation', failed(404, 'ROUTE_NOT_FOUND'), /ROUTE_NOT_FOUND.*constant/],
    ['details of another code', failed(400, 'INVALID_PARAMETERS', { details: { limit: 1 } }), /details/],
    ['an unknown code, anywhere', elsewhere('TEAPOT'), /TEAPOT/],
  ] as const) {
    it(`is not declared because of ${title}`, () => {
      expect(undeclaredPartOf(response)).to.match(part)
    })
  }

  it('fails the test that receives it', async () => {
    const server = createServer((_, response) => {
      response.writeHead(418, ['x-request-id', requestId, 'Content-Type', 'application/json'])
      response.end('{"error":"TEAPOT"}')
    })
    const { url, close } = await listenLocally(server)
    await call(`${url}/verify/status`)
    await close()
    expect(takeUndeclared()).to.deep.equal([teapot])
  })
})
