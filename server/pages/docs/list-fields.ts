import type { Schema } from './openapi-document.ts'

interface Field {
  /** A path such as `config.tokenType` or `keys[].kid`. */
  name: string
  required: boolean
  /** A description, with values in backticks. */
  type: string
  description: string
}

/** The fields of an object, including those of nested objects and lists. */
export function listFields({ properties = {}, required = [] }: Schema, prefix = ''): Field[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const name = `${prefix}${key}`
    const { description = '', items } = schema
    const field = { name, required: required.includes(key), type: describeType(schema), description }
    return [field, ...(items ? listFields(items, `${name}[].`) : listFields(schema, `${name}.`))]
  })
}

const formats: Record<string, string> = { uuid: 'UUID', uri: 'URL', 'date-time': 'ISO 8601 timestamp' }

function describeType(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map(describeType).join(' or ')
  if (schema.const !== undefined) return `always \`${schema.const}\``
  if (schema.enum) return `one of ${schema.enum.map(value => `\`${value}\``).join(', ')}`
  const { type, format = '', maxLength, minimum, maximum } = schema
  const length = maxLength === undefined ? '' : `at most ${maxLength} characters`
  const range = minimum === undefined || maximum === undefined ? '' : `${minimum} to ${maximum}`
  return [formats[format] ?? [type].flat().join(' or '), length, range].filter(words => words).join(', ')
}
