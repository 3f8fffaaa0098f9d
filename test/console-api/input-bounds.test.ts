import { expect } from 'chai'
import { type ZodType, z } from 'zod'
import { consoleRouter } from '#console-api/router.ts'

type Procedures = Record<string, { _def: { inputs: ZodType[] } }>
type JsonSchema = { [key: string]: unknown } | JsonSchema[]

describe('The inputs of the console', () => {
  for (const [path, { _def }] of Object.entries(consoleRouter._def.procedures as unknown as Procedures)) {
    it(`have a maximum for every text and list of ${path}`, () => {
      for (const input of _def.inputs) {
        const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
        expect(unboundedIn(schema as JsonSchema, path)).to.deep.equal([])
      }
    })
  }
})

/** Formats of a fixed length. */
const boundedFormats: unknown[] = ['uuid', 'date']

/** Where the schema accepts texts or lists of any length. */
function unboundedIn(schema: JsonSchema, path: string): string[] {
  const { type, maxLength, maxItems, format } = schema as Record<string, unknown>
  const isEnumeration = 'enum' in schema || 'const' in schema
  const isUnboundedText =
    type === 'string' && maxLength === undefined && !isEnumeration && !boundedFormats.includes(format)
  const isUnboundedList = type === 'array' && maxItems === undefined
  const inner = Object.entries(schema).filter(([, value]) => typeof value === 'object' && value !== null)
  return [
    ...(isUnboundedText || isUnboundedList ? [path] : []),
    ...inner.flatMap(([key, value]) => unboundedIn(value as JsonSchema, `${path}.${key}`)),
  ]
}
