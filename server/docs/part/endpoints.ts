import { html } from '../../html/html.ts'
import { operationSection } from '../operation-section.ts'
import type { Operation } from '../operations-of.ts'
import type { Part } from '../part.ts'

export function endpointsPart(operations: Operation[], baseUrl: string): Part {
  return {
    id: 'endpoints',
    title: 'Endpoints',
    content: html`<p>Fields and parameters that are not listed are refused. Every answer carries its own <code>x-request-id</code>: quote it when you ask about a call.</p>
${operations.map(operation => operationSection(operation, baseUrl))}`,
  }
}
