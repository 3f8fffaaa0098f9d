import { z } from 'zod'

/** The part of JSON Schema that the page shows. */
export interface Schema {
  $ref?: string | undefined
  /** A list for a value of several types, such as a nullable boolean. */
  type?: string | string[] | undefined
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
  type: z.union([z.string(), z.array(z.string())]).optional(),
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
  /** A path such as `config.tokenType` or `keys[].kid`. */
  name: string
  required: boolean
  /** A description, with values in backticks. */
  type: string
  description: string
  example: unknown
}

/** The fields of an object's schema, including those of nested objects and lists. */
export function fieldsOf(root: Schema | undefined, schemas: Record<string, Schema>, prefix = ''): Field[] {
  const { properties = {}, required = [] } = resolve(root, schemas)
  return Object.entries(properties).flatMap(([key, property]) => {
    const resolved = resolve(property, schemas)
    const name = `${prefix}${key}`
    const { description = '', example } = resolved
    const field = {
      name,
      required: required.includes(key),
      type: describeType(resolved),
      description,
      example,
    }
    const nested = resolved.type === 'array' ? resolve(resolved.items, schemas) : resolved
    return [field, ...fieldsOf(nested, schemas, resolved.type === 'array' ? `${name}[].` : `${name}.`)]
  })
}

function resolve(from: Schema | undefined, schemas: Record<string, Schema>): Schema {
  const name = from?.$ref?.replace('#/components/schemas/', '')
  return (name === undefined ? from : schemas[name]) ?? {}
}

const formats: Record<string, string> = { uuid: 'UUID', uri: 'URL', 'date-time': 'ISO 8601 timestamp' }

function describeType(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map(describeType).join(' or ')
  if (schema.const !== undefined) return `always \`${String(schema.const)}\``
  if (schema.enum) return `one of ${schema.enum.map(value => `\`${String(value)}\``).join(', ')}`
  const { type = 'any', format = '', maxLength } = schema
  const named = formats[format] ?? [type].flat().join(' or ')
  const words = [named, maxLength && `at most ${maxLength} characters`, range(schema)]
  return words.filter(word => word).join(', ')
}

/** Undefined for the bounds that every integer has. */
function range({ minimum, maximum }: Schema): string | undefined {
  if (minimum === undefined || maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER) return undefined
  return `${minimum} to ${maximum}`
}
