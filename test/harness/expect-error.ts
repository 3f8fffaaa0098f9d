import { expect } from 'chai'
import type { ErrorCode } from '#domain/error-codes.ts'
import { statusOf } from '#rest/errors.ts'
import type { ApiResponse } from './tenant-client.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const envelopeFields = new Set(['error', 'message', 'details', 'requestId'])

/** Expects the code with its status, in a flat envelope that has the request ID of the response header. */
export function expectError(
  response: Pick<ApiResponse, 'status' | 'headers' | 'body'>,
  code: ErrorCode,
): void {
  const shown = `${response.status} ${JSON.stringify(response.body)}`.slice(0, 500)
  expect(response.body?.error, shown).to.equal(code)
  expect(response.status, shown).to.equal(statusOf[code])
  expect(response.headers.get('content-type')).to.match(/^application\/json/)
  expect(Object.keys(response.body).filter(field => !envelopeFields.has(field))).to.deep.equal([])
  expect(response.body.message).to.be.a('string').that.is.not.empty
  expect(response.body.requestId).to.match(uuid)
  expect(response.headers.get('x-request-id')).to.equal(response.body.requestId)
}

/** Expects an error about the input, with an entry for the path in `details.issues`. */
export function expectIssueAt(
  response: ApiResponse,
  path: string,
  code: 'INVALID_REQUEST_BODY' | 'INVALID_PARAMETERS' = 'INVALID_REQUEST_BODY',
): void {
  expectError(response, code)
  const { issues } = response.body.details
  for (const issue of issues) expect(issue).to.have.all.keys('path', 'message')
  expect(issues.map((issue: { path: string }) => issue.path)).to.include(path)
}

const rateLimitHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']

/** Expects all headers of the rate limit, or none: responses of checks before the rate limit have none. */
export function expectRateLimitHeaders({ headers }: Pick<ApiResponse, 'headers'>, present: boolean): void {
  for (const header of rateLimitHeaders) {
    expect(headers.has(header), header).to.equal(present)
    if (present) expect(headers.get(header)).to.match(/^\d+$/)
  }
}

/** Expects that a page of any site can read it. */
export function expectPublic({ headers }: Pick<ApiResponse, 'headers'>): void {
  expect(headers.get('access-control-allow-origin')).to.equal('*')
  expect(headers.get('access-control-allow-credentials')).to.equal(null)
  expect(headers.get('cross-origin-resource-policy')).to.equal('cross-origin')
}
