import { type Html, html } from '../html/html.ts'

/** A table, whose rows are shown as cards on narrow screens. The first cell of a row is its heading. */
export function table(
  caption: string | undefined,
  heads: readonly (string | Html)[],
  rows: readonly (readonly Html[])[],
): Html {
  return html`<table>
${caption === undefined ? '' : html`<caption>${caption}</caption>\n`}<thead><tr>${heads.map(head => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows.map(tableRow)}</tbody>
</table>`
}

function tableRow([heading, ...cells]: readonly Html[]): Html {
  return html`<tr><th scope="row">${heading ?? ''}</th>${cells.map(cell => html`<td>${cell}</td>`)}</tr>
`
}
