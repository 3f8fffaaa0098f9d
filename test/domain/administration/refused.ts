import { expect } from 'chai'
import { Refusal, type RefusalCode } from '#domain/errors.ts'

/** Expects the refusal, and answers it. */
export async function refused(promise: Promise<unknown>, code: RefusalCode): Promise<Refusal> {
  const error = await promise.then(
    value => expect.fail(`not refused, but answered ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  if (!(error instanceof Refusal)) throw error
  expect(error.code).to.equal(code)
  return error
}
