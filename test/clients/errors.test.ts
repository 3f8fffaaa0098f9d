import { expect } from 'chai'
import * as errors from '#clients/typescript/src/errors.ts'

describe('Errors of the TypeScript client', () => {
  it('are recognised where the package is loaded twice, as an ES module and as CommonJS', async () => {
    const other: typeof errors = await import(`#clients/typescript/src/errors.ts?${'another build'}`)
    expect(other.ServiceConnectionError).not.to.equal(errors.ServiceConnectionError)
    const made = {
      AgeVerificationError: new other.AgeVerificationError({} as never),
      ServiceConnectionError: new other.ServiceConnectionError('network', 'away'),
      ChangesMissedError: new other.ChangesMissedError('2026-01-31T12:00:00.000Z', 'C1'),
      CompletionTimeoutError: new other.CompletionTimeoutError(undefined),
      WebhookVerificationError: new other.WebhookVerificationError('signature_missing'),
    }
    for (const [name, error] of Object.entries(made)) {
      const recognised = Object.entries(errors).filter(([, errorClass]) => error instanceof errorClass)
      expect(recognised.map(([each]) => each)).to.deep.equal([name])
    }
  })
})
