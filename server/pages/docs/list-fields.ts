import { z } from 'zod'

/** An example of every required field, by its name. */
export function toExamples(schema: z.ZodObject): Record<string, unknown> {
  const required = listFields(schema).filter(field => field.required)
  return Object.fromEntries(required.map(({ name, example }) => [name, example]))
}

interface Field {
  /** A path such as `config.tokenType` or `keys[].kid`. */
  name: string
  required: boolean
  /** A description, with values in backticks. */
  type: string
  description: string
  example: unknown
}

/** The fields of an object, including those of nested objects and lists. */
export function listFields({ shape }: z.ZodObject, prefix = ''): Field[] {
  return Object.entries(shape as Record<string, z.ZodType>).flatMap(([key, schema]) => {
    const name = `${prefix}${key}`
    const { description = '', example, override, ...json } = z.toJSONSchema(schema, { io: 'input' })
    const type = describeType({ ...json, ...(override as object) })
    const field = { name, required: !schema.safeParse(undefined).success, type, description, example }
    const [nested, separator] = schema instanceof z.ZodArray ? [schema.element, '[].'] : [schema, '.']
    return [field, ...(nested instanceof z.ZodObject ? listFields(nested, `${name}${separator}`) : [])]
  })
}

const formats: Record<string, string> = { uuid: 'UUID', uri: 'URL', 'date-time': 'ISO 8601 timestamp' }

function describeType(schema: z.core.JSONSchema.BaseSchema): string {
  if (schema.anyOf) return schema.anyOf.map(one => describeType(one as typeof schema)).join(' or ')
  if (schema.const !== undefined) return `always \`${schema.const}\``
  if (schema.enum) return `one of ${schema.enum.map(value => `\`${value}\``).join(', ')}`
  const { type, format = '', maxLength, minimum, maximum = Number.MAX_SAFE_INTEGER } = schema
  const length = maxLength === undefined ? '' : `at most ${maxLength} characters`
  const range = minimum === undefined || maximum === Number.MAX_SAFE_INTEGER ? '' : `${minimum} to ${maximum}`
  return [formats[format] ?? [type].flat().join(' or '), length, range].filter(words => words).join(', ')
}
