import type { Tag } from '#rest/endpoint.ts'
import type { Features } from '#rest/router.ts'
import { readDocument } from './documents.ts'

/** What the reference of the API reads of a document, with nothing behind a reference. */
export interface OpenApiDocument {
  info: { description: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: { 'verification.completed': { post: Operation } }
  components: { securitySchemes: { tenantApiKey: { description: string } } }
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  /** Empty where no API key is needed. */
  security: object[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  /** By status. */
  responses: Record<string, { description: string; content?: Content }>
}

export interface Parameter {
  in: string
  name: string
  required?: boolean
  schema: Schema
}

/** By media type. */
type Content = Record<string, { schema: Schema; examples?: Record<string, { value: unknown }> }>

export interface Schema {
  type?: string | string[]
  description?: string
  example?: unknown
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  format?: string
  maxLength?: number
  minimum?: number
  maximum?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
}

const testTenantsTag: Tag = 'Test tenants'

/** The document that `npm run openapi` has written, as a service at this address has it. */
export function readOpenApiText(baseUrl: string, { testTenants }: Features): string {
  const text = readDocument('openapi.json').replaceAll('https://verify.example', () => baseUrl)
  const document = JSON.parse(text)
  return JSON.stringify(testTenants ? document : withoutTestTenants(document))
}

/** The same for the service itself: what a reference refers to stands in its place. */
export function readOpenApi(baseUrl: string, features: Features): OpenApiDocument {
  const document = JSON.parse(readOpenApiText(baseUrl, features))
  const resolve = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node
    if (Array.isArray(node)) return node.map(resolve)
    if ('$ref' in node) {
      const [, ...keys] = String(node.$ref).split('/')
      return resolve(keys.reduce((at, key) => at[key], document))
    }
    return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, resolve(child)]))
  }
  return resolve(document) as OpenApiDocument
}

/** Their operations are named in the scopes of API keys, too, and refer to components that no other needs. */
function withoutTestTenants(document: OpenApiDocument): OpenApiDocument {
  const isOfTestTenants = (item: Record<string, Operation>) =>
    Object.values(item).some(({ tags }) => tags.includes(testTenantsTag))
  document.tags = document.tags.filter(({ name }) => name !== testTenantsTag)
  document.paths = Object.fromEntries(
    Object.entries(document.paths).filter(([, item]) => !isOfTestTenants(item)),
  )
  const { tenantApiKey } = document.components.securitySchemes
  tenantApiKey.description = tenantApiKey.description.replace(/, `[A-Z]+ \/test\/[^`]+`/g, '')
  removeUnreferenced(document)
  return document
}

/** What a component refers to can be needed for it alone. */
function removeUnreferenced(document: OpenApiDocument): void {
  const text = JSON.stringify(document)
  const { securitySchemes: _, ...components } = document.components as Record<string, Record<string, object>>
  const unreferenced = Object.entries(components).flatMap(([kind, parts]) =>
    Object.keys(parts)
      .filter(name => !text.includes(`"#/components/${kind}/${name}"`))
      .map(name => ({ parts, name })),
  )
  for (const { parts, name } of unreferenced) delete parts[name]
  if (unreferenced.length > 0) removeUnreferenced(document)
}
