import { type ErrorCode, errorCatalogue } from '#domain/errors.ts'
import { statusOf, toErrorEnvelope } from '#rest/errors.ts'
import { invalidInput } from '#rest/input.ts'
import { html } from '../../html/html.ts'
import type { Part } from '../part.ts'
import { block } from '../prose.ts'
import { table } from '../table.ts'

export function errorsPart(): Part {
  const codes = (Object.keys(errorCatalogue) as ErrorCode[]).toSorted(
    (one, other) => statusOf[one] - statusOf[other],
  )
  return {
    id: 'errors',
    title: 'Errors',
    content: html`<p>Every failure is one flat JSON object. Decide by <code>error</code>, which stays; <code>message</code> is for people and can change. <code>details</code> is there for some errors: <code>details.issues</code> names the fields at fault, <code>details.retryAfterSeconds</code> the delay. <code>requestId</code> is also in the header <code>x-request-id</code>.</p>
${block('Example of an error', JSON.stringify(exampleEnvelope(), null, 2))}
<p>Try again after 5xx and 429 (after <code>Retry-After</code> seconds where it is given), and not after any other 4xx.</p>
${table(
  'Codes',
  ['Code', 'Status', 'Meaning'],
  codes.map(code => [html`<code>${code}</code>`, html`${statusOf[code]}`, html`${errorCatalogue[code]}`]),
)}`,
  }
}

function exampleEnvelope() {
  const refusal = invalidInput('INVALID_REQUEST_BODY', [
    { path: 'ip', message: 'must be an IPv4 or IPv6 address' },
  ])
  return toErrorEnvelope(refusal, '7cf9b0dc-1e3d-4699-8944-a4bcfb141e31')
}
