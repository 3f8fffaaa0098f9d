import { type ErrorCode, errorCatalogue } from '#domain/error-codes.ts'
import { keyHeader } from '#rest/authenticate.ts'
import { statusOf } from '#rest/errors.ts'
import { listFields } from './list-fields.ts'
import type { OpenApiDocument, Operation, Parameter, Schema } from './openapi-document.ts'

/** The reference of the tenant API in Markdown, from its OpenAPI document. */
export function apiReference(baseUrl: string, document: OpenApiDocument): string {
  const { info, paths, webhooks, components } = document
  const sections = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) =>
      operationSection(method.toUpperCase(), path, operation, baseUrl),
    ),
  )
  const webhook = webhooks['verification.completed'].post
  return `# API reference

The tenant API is at \`${baseUrl}\`. Its OpenAPI 3.1 document is [openapi.json](../openapi.json).

${info.description}

## API keys

${components.securitySchemes.tenantApiKey.description}

## Endpoints

Requests with unknown fields or parameters are rejected. Every response has a unique \`x-request-id\` header; include it
when you contact support about a request.

${sections.join('\n')}
## Webhook

### **POST** your webhook URL {#${webhook.operationId}}

${webhookSection(webhook)}

## Error codes

[Errors](errors.md) has the cause and the remedy of each code, and says what to retry.

${errorTable(Object.keys(errorCatalogue) as ErrorCode[])}`
}

function operationSection(method: string, path: string, operation: Operation, baseUrl: string): string {
  const { operationId, summary, description, security, parameters = [], requestBody, responses } = operation
  const body = requestBody?.content['application/json']?.schema
  const query = fieldsIn('query', parameters)
  const [status, success] = Object.entries(responses).find(([status]) => Number(status) < 300) ?? []
  const [answer] = Object.values(success?.content ?? {})
  return joinParts([
    `### **${method}** \`${path}\` {#${operationId}}`,
    `**${summary}**`,
    description,
    inputTable('Parameters in the path', fieldsIn('path', parameters)),
    inputTable('Parameters in the query', query),
    inputTable('Request headers', fieldsIn('header', parameters)),
    inputTable(requestBody?.required ? 'JSON body' : 'JSON body (optional)', body),
    security.length > 0
      ? `\`\`\`sh\n${exampleCall(method, `${baseUrl}${path}`, query, body)}\n\`\`\``
      : 'Doesn’t require an API key.',
    success && `#### Response ${status}\n\n${success.description}`,
    fieldTable(answer?.schema),
    `#### Errors\n\n${errorTable(errorsOf(operation))}`,
  ])
}

/** The request that the service sends. */
function webhookSection({ description, parameters = [], requestBody }: Operation): string {
  const { schema, examples = {} } = requestBody!.content['application/json']!
  return joinParts([
    description,
    inputTable('Headers', fieldsIn('header', parameters)),
    inputTable('JSON body', schema),
    `\`\`\`json\n${JSON.stringify(examples.approved?.value, null, 2)}\n\`\`\``,
    '[Webhooks](webhooks.md) has receivers to copy, and what to do with each status.',
  ])
}

function joinParts(parts: (string | undefined)[]): string {
  return parts.filter(part => part).join('\n\n')
}

/** The parameters of one place, as the fields of an object. */
function fieldsIn(place: string, parameters: Parameter[]): Schema {
  const found = parameters.filter(parameter => parameter.in === place)
  return {
    properties: Object.fromEntries(found.map(({ name, schema }) => [name, schema])),
    required: found.filter(({ required }) => required).map(({ name }) => name),
  }
}

function inputTable(heading: string, schema: Schema | undefined): string {
  const table = fieldTable(schema)
  return table && `#### ${heading}\n\n${table}`
}

/** Empty for a schema without fields. */
function fieldTable(schema: Schema = {}): string {
  const rows = listFields(schema).map(({ name, required, type, description }) => [
    `\`${name}\`${required ? '' : ' *optional*'}`,
    type,
    description,
  ])
  return rows.length > 0 ? markdownTable(['Field', 'Type', 'Description'], rows) : ''
}

/** The codes that an operation can return: each has an example. */
function errorsOf({ responses }: Operation): ErrorCode[] {
  const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  return errors.flatMap(
    ([, { content }]) => Object.keys(content?.['application/json']?.examples ?? {}) as ErrorCode[],
  )
}

function errorTable(codes: ErrorCode[]): string {
  const rows = codes
    .toSorted((one, other) => statusOf[one] - statusOf[other])
    .map(code => [`[\`${code}\`](errors.md#${code.toLowerCase()})`, statusOf[code], errorCatalogue[code]])
  return markdownTable(['Code', 'Status', 'Description'], rows)
}

function markdownTable(heads: string[], rows: (string | number)[][]): string {
  const lines = [heads, heads.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |\n`)
  return lines.join('')
}

/** A curl command with the required parameters and fields. The API key comes from a shell variable. */
function exampleCall(method: string, address: string, query: Schema, body: Schema | undefined): string {
  const search = new URLSearchParams(examplesOf(query) as Record<string, string>)
  const url = `${address}${search.size > 0 ? `?${search}` : ''}`
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}'${url}'`, `-H "${keyHeader}: $API_KEY"`]
  if (body) {
    lines.push("-H 'content-type: application/json'", `-d '${JSON.stringify(examplesOf(body))}'`)
  }
  return lines.join(' \\\n  ')
}

/** An example of every required field, by its name. */
function examplesOf({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  return Object.fromEntries(required.map(name => [name, properties[name]?.example]))
}
