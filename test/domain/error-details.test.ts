import { expect } from 'chai'
import { z } from 'zod'
import { errorDetails } from '#domain/error-details.ts'
import { checkErrorResponse } from '../harness/check-error-response.ts'

const ofConsole = (message: string, details?: unknown) => ({
  error: { message, code: -32600, data: { error: 'INVALID_PARAMETERS', details } },
})
const issues = (message: string) => ({ issues: [{ path: 'limit', message }] })

describe('The details of errors', () => {
  for (const [code, schema] of Object.entries(errorDetails)) {
    it(`of ${code} are described, with examples that are valid`, () => {
      const { properties } = z.toJSONSchema(schema, { target: 'draft-2020-12' })
      const example: Record<string, unknown> = {}
      for (const [field, described] of Object.entries(properties ?? {})) {
        const { description, example: value } = described as { description?: string; example?: unknown }
        expect(description, field).to.be.a('string')
        example[field] = field === 'issues' ? issues('must be at most 100').issues : value
      }
      expect(schema.strict().safeParse(example).error).to.equal(undefined)
    })
  }

  it('and the texts of errors are checked in every answer', () => {
    for (const answer of [
      { valid: true },
      { error: 'not_ours', message: 'Invalid input: expected string', details: 1 },
      { error: 'FORBIDDEN', message: 'No.', details: { requiredScope: 'tokens:validate' }, requestId: 'x' },
      ofConsole('A parameter is invalid.', issues('must be at most 100')),
      [{ result: {} }, ofConsole('A parameter is invalid.')],
    ]) {
      expect(() => checkErrorResponse(answer)).not.to.throw()
    }
    for (const answer of [
      { error: 'FORBIDDEN', requestId: 'x' },
      { error: 'FORBIDDEN', message: 'Invalid input: expected string, received undefined' },
      { error: 'FORBIDDEN', message: 'No.', details: {} },
      { error: 'FORBIDDEN', message: 'No.', details: { requiredScope: 'tokens:validate', more: 1 } },
      { error: 'TENANT_INACTIVE', message: 'No.', details: {} },
      ofConsole('A parameter is invalid.', issues('Too big: expected number to be <=100')),
      [{ result: {} }, ofConsole('Unrecognized key: "a"')],
    ]) {
      expect(() => checkErrorResponse(answer), JSON.stringify(answer)).to.throw(/^An error has/)
    }
  })
})
