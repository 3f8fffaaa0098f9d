import { z } from 'zod'
import { type Field, fieldsOf, type Schema, schema } from './fields-of.ts'

/** An endpoint as the OpenAPI document describes it, with references resolved. */
export interface Operation {
  id: string
  method: string
  path: string
  summary: string
  description: string
  /** Whether it requires an API key. */
  authenticated: boolean
  parameters: Parameter[]
  body: { required: boolean; fields: Field[] } | undefined
  /** Undefined for an endpoint that always fails. */
  response: { status: string; description: string; fields: Field[] } | undefined
  /** `description` has a paragraph per error code: `CODE`, a colon, a sentence. */
  errors: { status: string; description: string }[]
}

export interface Parameter extends Field {
  in: string
}

/** Reads the OpenAPI document. Throws a `ZodError` for one of another shape. */
export function operationsOf(openApi: unknown): Operation[] {
  const { paths, components } = document.parse(withoutReferences(openApi, openApi))
  const asFields = (content: Content | undefined) =>
    fieldsOf(content?.['application/json']?.schema, components.schemas)
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const responses = Object.entries(operation.responses).map(([status, declared]) => ({
        status,
        ...declared,
      }))
      const response = responses.find(({ status }) => status.startsWith('2'))
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        summary: operation.summary,
        description: operation.description,
        authenticated: operation.security.length > 0,
        parameters: operation.parameters.flatMap(parameter => asParameter(parameter, components.schemas)),
        body: operation.requestBody && {
          required: operation.requestBody.required,
          fields: asFields(operation.requestBody.content),
        },
        response: response && { ...response, fields: asFields(response.content) },
        errors: responses.filter(({ status }) => status >= '400'),
      }
    }),
  )
}

/** Replaces references to responses and parameters by what they refer to. Those to schemas stay. */
function withoutReferences(node: unknown, openApi: unknown): unknown {
  if (Array.isArray(node)) return node.map(item => withoutReferences(item, openApi))
  if (typeof node !== 'object' || node === null) return node
  const path = referenced.exec('$ref' in node ? String(node.$ref) : '')?.groups?.path
  if (path) return withoutReferences(path.split('/').reduce(valueAt, openApi), openApi)
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withoutReferences(value, openApi)]),
  )
}

const referenced = /^#\/(?<path>components\/(?:responses|parameters)\/.+)$/

function valueAt(object: unknown, key: string): unknown {
  return (object as Record<string, unknown>)[key]
}

function asParameter(
  { name, required, ...parameter }: z.infer<typeof parameterObject>,
  schemas: Record<string, Schema>,
) {
  const wrapped: Schema = {
    type: 'object',
    properties: { [name]: parameter.schema },
    required: required ? [name] : [],
  }
  return fieldsOf(wrapped, schemas).map(field => ({ ...field, in: parameter.in }))
}

const content = z.record(z.string(), z.object({ schema }))
type Content = z.infer<typeof content>

const parameterObject = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().default(false),
  schema,
})

const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  security: z.array(z.unknown()),
  parameters: z.array(parameterObject).default([]),
  requestBody: z.object({ required: z.boolean().default(false), content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content: content.optional() })),
})

const document = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), schema) }),
})
