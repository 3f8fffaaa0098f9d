import { type ErrorCode, errorCatalogue } from '#domain/errors.ts'
import { statusOf, toErrorEnvelope } from '#rest/errors.ts'
import { invalidBody } from '#rest/input.ts'
import { html } from '../../html/html.ts'
import { codeBlock } from '../prose.ts'
import type { Section } from '../section.ts'
import { table } from '../table.ts'

export function errorsSection(): Section {
  const codes = (Object.keys(errorCatalogue) as ErrorCode[]).toSorted(
    (one, other) => statusOf[one] - statusOf[other],
  )
  return {
    id: 'errors',
    title: 'Errors',
    content: html`<p>Every error response is a flat JSON object. <code>error</code> is a stable code for your program to handle; <code>message</code> is a description for people and can change. Some errors have <code>details</code>: <code>details.issues</code> lists the invalid fields, and <code>details.retryAfterSeconds</code> is the delay before a retry. <code>requestId</code> is the same as the header <code>x-request-id</code>.</p>
${codeBlock('Example error response', JSON.stringify(exampleEnvelope(), null, 2))}
<p>Retry after a 5xx or 429 response; if it has a <code>Retry-After</code> header, wait that many seconds. <code>details.reason</code> is <code>overloaded</code> if nothing was done for the request, so that it is always safe to repeat. Don’t retry after any other 4xx response.</p>
${table(
  'Error codes',
  ['Code', 'Status', 'Description'],
  codes.map(code => [html`<code>${code}</code>`, html`${statusOf[code]}`, html`${errorCatalogue[code]}`]),
)}`,
  }
}

function exampleEnvelope() {
  const error = invalidBody([{ path: 'ip', message: 'must be an IPv4 or IPv6 address' }])
  return toErrorEnvelope(error, '7cf9b0dc-1e3d-4699-8944-a4bcfb141e31')
}
