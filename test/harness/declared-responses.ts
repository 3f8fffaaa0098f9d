import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** A response as it was sent, with the request that it answers. */
export interface SentResponse {
  method: string
  /** Of the request, with or without a query. */
  target: string
  status: number
  headers: Headers
  body: string
}

interface Schema {
  $ref?: string
  oneOf?: Schema[]
  type?: string
}

interface Response {
  $ref?: string
  headers?: Record<string, { $ref?: string; required?: boolean; schema: Schema }>
  content?: Record<string, { schema: Schema }>
}

interface Operation {
  operationId: string
  responses: Record<string, Response>
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { properties?: { error?: unknown } }> }
}

/** Compiled when the first response is checked. */
let document: DeclaredDocument | undefined

/**
 * What the checked-in document doesn't declare about a response: its status, a header, or its body, in which clients
 * have to tolerate more fields than are declared but the service never sends any. Undefined if all is declared, and for
 * requests to other paths, except that an error there must be the body of an error.
 */
export function undeclaredPartOf(sent: SentResponse): string | undefined {
  document ??= new DeclaredDocument()
  const path = pathOf(sent.target)
  const operation = document.operationAt(sent.method, path)
  // A service without test tenants has none of their routes.
  const isMissing = path.startsWith('/test/') && sent.body.includes('"ROUTE_NOT_FOUND"')
  return operation && !isMissing ? document.undeclared(operation, sent) : document.undeclaredError(sent)
}

/** By which clients decide when to send the next request. */
const clientHeaders = /^(x-ratelimit-|retry-after$)/

class DeclaredDocument {
  readonly #document: Document
  readonly #operations: { method: string; path: RegExp; operation: Operation }[]
  /** Of every error that an operation sends. */
  readonly #errorBodies: Schema[]
  readonly #validators = new Map<string, ValidateFunction>()
  readonly #ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true })

  constructor() {
    const text = readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8')
    this.#document = JSON.parse(text, (_key, node) => closed(node))
    addFormats.default(this.#ajv)
    this.#ajv.addVocabulary(['components', 'discriminator', 'example'])
    const { components } = this.#document
    this.#ajv.addSchema({ components }, 'document')
    this.#errorBodies = Object.entries(components.schemas)
      .filter(([, { properties }]) => properties?.error)
      .map(([name]) => ({ $ref: `#/components/schemas/${name}` }))
    this.#operations = Object.entries(this.#document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
        operation,
      })),
    )
  }

  operationAt(method: string, path: string): Operation | undefined {
    return this.#operations.find(found => found.method === method && found.path.test(path))?.operation
  }

  undeclared({ operationId, responses }: Operation, { status, headers, body }: SentResponse) {
    const declared = this.#resolve(responses[status])
    if (!declared) return `${operationId} has no response ${status}: ${body}`
    const at = `${operationId} ${status}`
    for (const [name, reference] of Object.entries(declared.headers ?? {})) {
      const problem = this.#headerProblem(this.#resolve(reference)!, headers.get(name))
      if (problem) return `${at}, header ${name}: ${problem}`
    }
    const names = new Set(Object.keys(declared.headers ?? {}).map(name => name.toLowerCase()))
    const more = [...headers.keys()].find(name => clientHeaders.test(name) && !names.has(name))
    if (more) return `${at} has the header ${more}`
    const type = headers.get('content-type')?.split(';')[0] ?? ''
    if (!declared.content) return body === '' ? undefined : `${at} has a body: ${body}`
    const content = declared.content[type]
    if (!content) return `${at} has no content of the type ${JSON.stringify(type)}`
    const problem = this.#problem(content.schema, /json$/.test(type) ? parsed(body) : body)
    return problem && `${at}, body ${body}: ${problem}`
  }

  /** For errors that no operation has sent. */
  undeclaredError({ method, target, status, headers, body }: SentResponse): string | undefined {
    if (status < 400 || !headers.get('content-type')?.startsWith('application/json')) return undefined
    const error = parsed(body)
    if (typeof error !== 'object' || error === null || !('requestId' in error)) return undefined
    const problem = this.#problem({ oneOf: this.#errorBodies }, error)
    return problem && `${method} ${target} ${status}, body ${body}: ${problem}`
  }

  #headerProblem({ required, schema }: { required?: boolean; schema: Schema }, value: string | null) {
    if (value === null) return required ? 'missing' : undefined
    const isInteger = schema.type === 'integer' && /^-?\d+$/.test(value)
    return this.#problem(schema, isInteger ? Number(value) : value)
  }

  #problem(schema: Schema, value: unknown): string | undefined {
    const key = JSON.stringify(schema)
    const validate =
      this.#validators.get(key) ?? this.#ajv.compile(JSON.parse(key.replaceAll('"#/', '"document#/')))
    this.#validators.set(key, validate)
    return validate(value) ? undefined : this.#ajv.errorsText(validate.errors)
  }

  #resolve<Node extends { $ref?: string }>(node: Node | undefined): Node | undefined {
    const path = node?.$ref?.split('/').slice(1)
    if (!path) return node
    return path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], this.#document) as Node
  }
}

/** Without tolerance for fields that are not declared. */
function closed(node: unknown): unknown {
  const isObject = typeof node === 'object' && node !== null && 'properties' in node && 'type' in node
  return isObject ? { additionalProperties: false, ...node } : node
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** Empty for a target that is no URL. */
function pathOf(target: string): string {
  // A target may be a URL; one that begins with two slashes is a path, too.
  const url = target.startsWith('/') ? `http://service${target}` : target
  return URL.parse(url)?.pathname ?? ''
}
