import { apiKeyScopes } from '#domain/permissions.ts'
import { keyHeader } from '#rest/authenticate.ts'
import { endpoints } from '#rest/router.ts'
import { html } from '../../html/html.ts'
import { prose } from '../prose.ts'
import type { Section } from '../section.ts'
import { table } from '../table.ts'

export function authenticationSection(): Section {
  const rows = apiKeyScopes.map(scope => {
    const allowed = endpoints.filter(({ access }) => access.by === 'tenant' && access.scope === scope)
    const calls = allowed.map(({ method, path }) => `\`${method} ${path}\``)
    return [html`<code>${scope}</code>`, html`${prose(calls.join(', '))}`]
  })
  return {
    id: 'authentication',
    title: 'Authentication',
    content: html`<p>Authenticate each request from your backend with an API key in the header <code>${keyHeader}</code>. <code>Authorization: Bearer</code> and <code>X-API-Key</code> are not supported. Create keys in the dashboard. A key is shown only once, can have an expiry, and can be revoked; a revocation takes effect immediately. Never use keys in browsers or apps, and don’t commit them to version control.</p>
${table('Scopes of API keys', ['Scope', 'Allows'], rows)}`,
  }
}
