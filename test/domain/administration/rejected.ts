import { expect } from 'chai'
import type { ErrorCode } from '#domain/error-codes.ts'
import { DomainError } from '#domain/errors.ts'

/** Expects the promise to reject with the code. Returns the error. */
export async function rejected(promise: Promise<unknown>, code: ErrorCode): Promise<DomainError> {
  const error = await promise.then(
    value => expect.fail(`Expected ${code}, but the promise resolved with ${JSON.stringify(value)}.`),
    (reason: unknown) => reason,
  )
  if (!(error instanceof DomainError)) throw error
  expect(error.code).to.equal(code)
  return error
}
