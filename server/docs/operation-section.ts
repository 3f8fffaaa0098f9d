import { type Html, html } from '../html/html.ts'
import { exampleCall } from './example-call.ts'
import type { Field } from './fields-of.ts'
import type { Operation, Parameter } from './operations-of.ts'
import { block, prose } from './prose.ts'
import { table } from './table.ts'

/** Everything about one endpoint. */
export function operationSection(operation: Operation, baseUrl: string): Html {
  const { id, method, path, summary, description, authenticated, parameters, body, answer, refusals } =
    operation
  return html`<section class="card" aria-labelledby="${id}">
<h3 id="${id}"><span class="method">${method}</span> <code>${path}</code></h3>
<p class="lead">${summary}</p>
<p>${prose(description)}</p>
${authenticated ? '' : html`<p class="soft">Takes no API key.</p>`}
${parameterTables(parameters)}
${body === undefined ? '' : fieldTable(`JSON body${body.required ? '' : ', optional'}`, body.fields)}
${authenticated ? block(`Example of ${method} ${path}`, exampleCall(operation, baseUrl)) : ''}
${answer === undefined ? '' : fieldTable(`Answer ${answer.status}: ${answer.description}`, answer.fields)}
${table('Errors', ['Status', 'Code and meaning'], refusals.map(refusalCells))}
</section>
`
}

function parameterTables(parameters: Parameter[]): Html[] {
  return [...Map.groupBy(parameters, parameter => parameter.in)].map(([place, fields]) =>
    fieldTable(place === 'header' ? 'Headers' : `Parameters in the ${place}`, fields),
  )
}

const fieldHeads = ['Field', 'Type', 'Meaning']

function fieldTable(caption: string, fields: Field[]): Html {
  return table(caption, fieldHeads, fields.map(fieldCells))
}

function fieldCells({ name, required, type, description }: Field): Html[] {
  const optional = required ? '' : html` <span class="soft">optional</span>`
  return [html`<code>${name}</code>${optional}`, html`${prose(type)}`, html`${prose(description)}`]
}

function refusalCells({ status, description }: Operation['refusals'][number]): Html[] {
  return [html`${status}`, html`${description.split('\n\n').map(line => html`<p>${prose(line)}</p>`)}`]
}
