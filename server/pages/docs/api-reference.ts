import { type Html, html } from '../html/html.ts'
import type { Heading } from './markdown/heading.ts'
import type { Operation } from './operations-of.ts'
import type { Section } from './section.ts'
import { authenticationSection } from './sections/authentication.ts'
import { endpointsSection } from './sections/endpoints.ts'
import { errorsSection } from './sections/errors.ts'

export interface ApiReference {
  headings: Heading[]
  content: Html
}

/** The reference of the tenant API, from the declarations of its endpoints. `root` leads to the service's base URL. */
export function apiReference(operations: Operation[], baseUrl: string, root: string): ApiReference {
  const sections = [authenticationSection(), endpointsSection(operations, baseUrl), errorsSection()]
  return {
    headings: sections.flatMap(({ id, title }) => [
      { id, title: html`${title}`, depth: 2 },
      ...(id === 'endpoints' ? operations.map(endpointHeading) : []),
    ]),
    content: html`<h1>API reference</h1>
<p class="lead">The tenant API uses JSON over HTTP at <code>${baseUrl}</code>. Its OpenAPI 3.1 document is <a href="${root}openapi.json">openapi.json</a>.</p>
<aside class="note"><p><strong>Approved does not mean 18 or over.</strong> Admit a person only if <code>over18</code> is <code>true</code> in the response of <code>GET /verify/status</code>, or if <code>POST /tokens/validate</code> returns <code>valid: true</code>.</p></aside>
${sections.map(renderSection)}`,
  }
}

function endpointHeading({ id, method, path }: Operation): Heading {
  return { id, title: html`<span class="method">${method}</span> ${path}`, depth: 3 }
}

function renderSection({ id, title, content }: Section): Html {
  return html`<section class="chapter" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${content}
</section>
`
}
