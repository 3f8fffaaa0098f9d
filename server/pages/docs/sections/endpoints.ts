import { html } from '../../html/html.ts'
import { operationSection } from '../operation-section.ts'
import type { Operation } from '../operations-of.ts'
import type { Section } from '../section.ts'

export function endpointsSection(operations: Operation[], baseUrl: string): Section {
  return {
    id: 'endpoints',
    title: 'Endpoints',
    content: html`<p>Requests with unknown fields or parameters are rejected. Every response has a unique <code>x-request-id</code> header; include it when you contact support about a request.</p>
${operations.map(operation => operationSection(operation, baseUrl))}`,
  }
}
