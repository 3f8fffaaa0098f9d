import { type Html, html } from '../html/html.ts'

/** A table that becomes a list of cards where it is too wide; the first cell names the row. */
export function table(caption: string, heads: readonly string[], rows: readonly (readonly Html[])[]): Html {
  return html`<table>
<caption>${caption}</caption>
<thead><tr>${heads.map(head => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows.map(
  ([
    first,
    ...others
  ]) => html`<tr><th scope="row">${first ?? ''}</th>${others.map(cell => html`<td>${cell}</td>`)}</tr>
`,
)}</tbody>
</table>`
}
