import { type ErrorCode, errorCatalogue } from '#domain/error-codes.ts'
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
    content: html`<p>Every error response is one flat JSON object. <a href="errors">Errors</a> has the cause and the remedy of each code, and says what to retry.</p>
${codeBlock('Example error response', JSON.stringify(exampleEnvelope(), null, 2))}
${table(
  'Error codes',
  ['Code', 'Status', 'Description'],
  codes.map(code => [
    html`<a href="errors#${code.toLowerCase()}"><code>${code}</code></a>`,
    html`${statusOf[code]}`,
    html`${errorCatalogue[code]}`,
  ]),
)}`,
  }
}

function exampleEnvelope() {
  const error = invalidBody([{ path: 'ip', message: 'must be an IPv4 or IPv6 address' }])
  return toErrorEnvelope(error, '7cf9b0dc-1e3d-4699-8944-a4bcfb141e31')
}
