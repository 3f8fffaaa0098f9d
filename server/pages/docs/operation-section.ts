import { type Html, html } from '../html/html.ts'
import { exampleCall } from './example-call.ts'
import type { Field } from './fields-of.ts'
import type { Operation, Parameter } from './operations-of.ts'
import { codeBlock, prose } from './prose.ts'
import { table } from './table.ts'

/** The reference of one endpoint. */
export function operationSection(operation: Operation, baseUrl: string): Html {
  const { id, method, path, summary, description, authenticated, parameters, body, response, errors } =
    operation
  return html`<section class="card" aria-labelledby="${id}">
<h3 id="${id}"><span class="method">${method}</span> <code>${path}</code></h3>
<p class="lead">${summary}</p>
<p>${prose(description)}</p>
${authenticated ? '' : html`<p class="soft">Doesn’t require an API key.</p>`}
${parameterTables(parameters)}
${body === undefined ? '' : fieldTable(`JSON body${body.required ? '' : ' (optional)'}`, body.fields)}
${authenticated ? codeBlock(`Example: ${method} ${path}`, exampleCall(operation, baseUrl)) : ''}
${response === undefined ? '' : fieldTable(`Response ${response.status}: ${response.description}`, response.fields)}
${table('Errors', ['Status', 'Code and description'], errors.map(errorCells))}
</section>
`
}

function parameterTables(parameters: Parameter[]): Html[] {
  return [...Map.groupBy(parameters, parameter => parameter.in)].map(([location, fields]) =>
    fieldTable(location === 'header' ? 'Request headers' : `Parameters in the ${location}`, fields),
  )
}

const fieldHeads = ['Field', 'Type', 'Description']

function fieldTable(caption: string, fields: Field[]): Html {
  return table(caption, fieldHeads, fields.map(fieldCells))
}

function fieldCells({ name, required, type, description }: Field): Html[] {
  const optional = required ? '' : html` <span class="soft">optional</span>`
  return [html`<code>${name}</code>${optional}`, html`${prose(type)}`, html`${prose(description)}`]
}

function errorCells({ status, description }: Operation['errors'][number]): Html[] {
  return [html`${status}`, html`${description.split('\n\n').map(line => html`<p>${prose(line)}</p>`)}`]
}
