import { z } from 'zod'
import { type ErrorCode, errorCatalogue } from '#domain/error-codes.ts'
import { keyHeader } from '#rest/authenticate.ts'
import type { DocumentedEndpoint, TenantEndpoint } from '#rest/endpoint.ts'
import { statusOf } from '#rest/errors.ts'
import { errorsOf } from '#rest/openapi/document.ts'
import { revalidation } from '#rest/openapi/headers.ts'
import { authentication, introduction } from '#rest/openapi/introduction.ts'
import {
  completedEvent,
  completedEventDescription,
  completedEventExamples,
  completedEventHeaders,
} from '#rest/openapi/webhooks.ts'
import { listFields, toExamples } from './list-fields.ts'

/** The reference of the tenant API in Markdown, from the declarations of its endpoints. */
export function apiReference(baseUrl: string, endpoints: readonly DocumentedEndpoint[]): string {
  return `# API reference

The tenant API is at \`${baseUrl}\`. Its OpenAPI 3.1 document is [openapi.json](../openapi.json).

${introduction}

## API keys

${authentication(endpoints)}

## Endpoints

Requests with unknown fields or parameters are rejected. Every response has a unique \`x-request-id\` header; include it
when you contact support about a request.

${endpoints.map(endpoint => endpointSection(endpoint, baseUrl)).join('\n')}
## Webhook

### **POST** your webhook URL {#verificationCompleted}

${webhookSection()}

## Error codes

[Errors](errors.md) has the cause and the remedy of each code, and says what to retry.

${errorTable(Object.keys(errorCatalogue) as ErrorCode[])}`
}

function endpointSection(endpoint: DocumentedEndpoint, baseUrl: string): string {
  const { method, path, operationId, summary, description, kind, response } = endpoint
  const { query, headers, body, parameters } = endpoint as Partial<TenantEndpoint>
  const parts = [
    `### **${method}** \`${path}\` {#${operationId}}\n\n**${summary}**`,
    description,
    inputTable('Parameters in the path', parameters),
    inputTable('Parameters in the query', query),
    inputTable('Request headers', headers ?? (response.mediaType ? revalidation : undefined)),
    inputTable(body?.optional ? 'JSON body (optional)' : 'JSON body', body?.schema),
    kind === 'tenant'
      ? `\`\`\`sh\n${exampleCall(endpoint as TenantEndpoint, baseUrl)}\n\`\`\``
      : 'Doesn’t require an API key.',
    `#### Response ${response.status}\n\n${response.description}\n\n${fieldTable(response.schema)}`,
    `#### Errors\n\n${errorTable(errorsOf(endpoint))}`,
  ]
  return parts.join('\n\n')
}

/** The request that the service sends. */
function webhookSection(): string {
  const example = JSON.stringify(completedEventExamples.approved?.value, null, 2)
  const parts = [
    completedEventDescription,
    inputTable('Headers', completedEventHeaders),
    inputTable('JSON body', completedEvent),
    `\`\`\`json\n${example}\n\`\`\``,
    '[Webhooks](webhooks.md) has receivers to copy, and what to do with each status.',
  ]
  return parts.join('\n\n')
}

function inputTable(heading: string, schema: z.ZodType | undefined): string {
  const table = schema && fieldTable(schema)
  return table ? `#### ${heading}\n\n${table}` : ''
}

/** Empty for a schema without fields. */
function fieldTable(schema: z.ZodType): string {
  if (!(schema instanceof z.ZodObject) || Object.keys(schema.shape).length === 0) return ''
  const rows = listFields(schema).map(({ name, required, type, description }) => [
    `\`${name}\`${required ? '' : ' *optional*'}`,
    type,
    description,
  ])
  return markdownTable(['Field', 'Type', 'Description'], rows)
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
function exampleCall({ method, path, query, body }: TenantEndpoint, baseUrl: string): string {
  const search = new URLSearchParams(query && (toExamples(query) as Record<string, string>))
  const url = `${baseUrl}${path}${search.size > 0 ? `?${search}` : ''}`
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}'${url}'`, `-H "${keyHeader}: $API_KEY"`]
  if (body) {
    const example = JSON.stringify(toExamples(body.schema as z.ZodObject))
    lines.push("-H 'content-type: application/json'", `-d '${example}'`)
  }
  return lines.join(' \\\n  ')
}
