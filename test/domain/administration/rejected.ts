import { expect } from 'chai'
import { DomainError, type ErrorCode } from '#domain/errors.ts'

/** Expects the refusal, and answers it. */
export async function refused(promise: Promise<unknown>, code: ErrorCode): Promise<DomainError> {
  const error = await promise.then(
    value => expect.fail(`not refused, but answered ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  if (!(error instanceof DomainError)) throw error
  expect(error.code).to.equal(code)
  return error
}
