import { expect } from 'chai'
import type { ErrorCode } from '#domain/errors.ts'
import { statusOf } from '#rest/errors.ts'
import type { Answer } from './tenant-client.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const envelopeFields = new Set(['error', 'message', 'details', 'requestId'])

/** Expects the code with its status, in a flat envelope that has the request ID of the response header. */
export function expectError(answer: Pick<Answer, 'status' | 'headers' | 'body'>, code: ErrorCode): void {
  const shown = `${answer.status} ${JSON.stringify(answer.body)}`.slice(0, 500)
  expect(answer.body?.error, shown).to.equal(code)
  expect(answer.status, shown).to.equal(statusOf[code])
  expect(answer.headers.get('content-type')).to.match(/^application\/json/)
  expect(Object.keys(answer.body).filter(field => !envelopeFields.has(field))).to.deep.equal([])
  expect(answer.body.message).to.be.a('string').that.is.not.empty
  expect(answer.body.requestId).to.match(uuid)
  expect(answer.headers.get('x-request-id')).to.equal(answer.body.requestId)
}

/** Expects an error about the input, with an entry for the path in `details.issues`. */
export function expectIssueAt(
  answer: Answer,
  path: string,
  code: 'INVALID_REQUEST_BODY' | 'INVALID_PARAMETERS' = 'INVALID_REQUEST_BODY',
): void {
  expectError(answer, code)
  const { issues } = answer.body.details
  for (const issue of issues) expect(issue).to.have.all.keys('path', 'message')
  expect(issues.map((issue: { path: string }) => issue.path)).to.include(path)
}

const rateLimitHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']

/** Expects all headers of the rate limit, or none: responses of checks before the rate limit have none. */
export function expectRateLimitHeaders({ headers }: Pick<Answer, 'headers'>, present: boolean): void {
  for (const header of rateLimitHeaders) {
    expect(headers.has(header), header).to.equal(present)
    if (present) expect(headers.get(header)).to.match(/^\d+$/)
  }
}
