import { expect } from 'chai'
import { z } from 'zod'
import { openEndpoint } from '#rest/endpoint.ts'

const response = {
  status: 200,
  description: 'The result.',
  schema: z.object({ valid: z.boolean() }),
  examples: { valid: { summary: 'Valid', value: { valid: true } } },
} as const
const declaration = {
  method: 'GET',
  path: '/example',
  operationId: 'example',
  tag: 'Age tokens',
  summary: 'Example',
  description: 'An example.',
  access: { by: 'anyone' },
  maxAgeSeconds: 0,
  response,
  errors: [],
} as const

describe('A declared endpoint', () => {
  it('compiles when its result matches the response schema, and not otherwise', () => {
    openEndpoint({ ...declaration, handle: async () => ({ valid: true }) })
    // @ts-expect-error: `valid` has another type.
    openEndpoint({ ...declaration, handle: async () => ({ valid: 'yes' }) })
    // @ts-expect-error: `valid` is missing.
    const endpoint = openEndpoint({ ...declaration, handle: async () => ({}) })
    expect(endpoint.response).to.equal(response)
  })
})
