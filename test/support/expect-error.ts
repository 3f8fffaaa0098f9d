import { expect } from 'chai'
import type { ErrorCode } from '#domain/errors.ts'
import { statusOf } from '#rest/errors.ts'
import type { Answer } from './tenant-client.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const envelopeFields = new Set(['error', 'message', 'details', 'requestId'])

/** Expects the code, its status, and the flat envelope that names the request as the header does. */
export function expectError(answer: Pick<Answer, 'status' | 'headers' | 'body'>, code: ErrorCode): void {
  const told = `${answer.status} ${JSON.stringify(answer.body)}`.slice(0, 500)
  expect(answer.body?.error, told).to.equal(code)
  expect(answer.status, told).to.equal(statusOf[code])
  expect(answer.headers.get('content-type')).to.match(/^application\/json/)
  expect(Object.keys(answer.body).filter(field => !envelopeFields.has(field))).to.deep.equal([])
  expect(answer.body.message).to.be.a('string').that.is.not.empty
  expect(answer.body.requestId).to.match(uuid)
  expect(answer.headers.get('x-request-id')).to.equal(answer.body.requestId)
}

/** Expects a fault of the input, and that `details.issues` says where it lies. */
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
