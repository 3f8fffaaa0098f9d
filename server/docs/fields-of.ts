import { z } from 'zod'

/** What this page tells of a JSON Schema. */
export interface Schema {
  $ref?: string | undefined
  type?: string | undefined
  format?: string | undefined
  description?: string | undefined
  example?: unknown
  const?: unknown
  enum?: unknown[] | undefined
  minimum?: number | undefined
  maximum?: number | undefined
  maxLength?: number | undefined
  properties?: Record<string, Schema> | undefined
  required?: string[] | undefined
  items?: Schema | undefined
  anyOf?: Schema[] | undefined
}

export const schema: z.ZodType<Schema> = z.object({
  $ref: z.string().optional(),
  type: z.string().optional(),
  format: z.string().optional(),
  description: z.string().optional(),
  example: z.unknown().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
  get properties() {
    return z.record(z.string(), schema).optional()
  },
  required: z.array(z.string()).optional(),
  get items() {
    return schema.optional()
  },
  get anyOf() {
    return z.array(schema).optional()
  },
})

export interface Field {
  /** Dotted where it is inside another one, with `[]` inside a list. */
  name: string
  required: boolean
  /** In words; values in backticks. */
  type: string
  description: string
  example: unknown
}

/** The fields of an object's schema, those of objects and lists inside it included. */
export function fieldsOf(root: Schema | undefined, schemas: Record<string, Schema>, prefix = ''): Field[] {
  const { properties = {}, required = [] } = follow(root, schemas)
  return Object.entries(properties).flatMap(([key, property]) => {
    const own = follow(property, schemas)
    const name = `${prefix}${key}`
    const { description = '', example } = own
    const field = { name, required: required.includes(key), type: typeInWords(own), description, example }
    const inside = own.type === 'array' ? follow(own.items, schemas) : own
    return [field, ...fieldsOf(inside, schemas, own.type === 'array' ? `${name}[].` : `${name}.`)]
  })
}

function follow(from: Schema | undefined, schemas: Record<string, Schema>): Schema {
  const name = from?.$ref?.replace('#/components/schemas/', '')
  return (name === undefined ? from : schemas[name]) ?? {}
}

const formats: Record<string, string> = { uuid: 'UUID', uri: 'URL', 'date-time': 'ISO 8601 time' }

function typeInWords(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map(typeInWords).join(' or ')
  if (schema.const !== undefined) return `always \`${String(schema.const)}\``
  if (schema.enum) return `one of ${schema.enum.map(value => `\`${String(value)}\``).join(', ')}`
  const { type = 'any', format = '', maxLength } = schema
  const words = [formats[format] ?? type, maxLength && `at most ${maxLength} characters`, range(schema)]
  return words.filter(word => word).join(', ')
}

/** The bounds that every integer has anyway are not told. */
function range({ minimum, maximum }: Schema): string | undefined {
  if (minimum === undefined || maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER) return undefined
  return `${minimum} to ${maximum}`
}
