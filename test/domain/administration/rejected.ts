import { expect } from 'chai'
import type { ErrorCode } from '#domain/error-codes.ts'
import { DomainError } from '#domain/errors.ts'

/** Expects the promise to reject with the code. Returns the error. */
export async function rejected(promise: Promise<unknown>, code: ErrorCode): Promise<DomainError> {
  const error = await failureOf(promise)
  if (!(error instanceof DomainError)) throw error
  expect(error.code).to.equal(code)
  return error
}

/** Expects the promise to reject. Returns the reason. */
export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  return await promise.then(
    value => expect.fail(`Expected an error, but the promise resolved with ${JSON.stringify(value)}.`),
    (reason: Error) => reason,
  )
}
