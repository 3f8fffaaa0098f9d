import { apiKeyScopes } from '#domain/api-key/api-key.policy.ts'
import { keyHeader } from '#rest/authenticate.ts'
import { endpoints } from '#rest/router.ts'
import { html } from '../../html/html.ts'
import type { Part } from '../part.ts'
import { prose } from '../prose.ts'
import { table } from '../table.ts'

export function authenticationPart(): Part {
  const rows = apiKeyScopes.map(scope => {
    const allowed = endpoints.filter(({ access }) => access.by === 'tenant' && access.scope === scope)
    const calls = allowed.map(({ method, path }) => `\`${method} ${path}\``)
    return [html`<code>${scope}</code>`, html`${prose(calls.join(', '))}`]
  })
  return {
    id: 'authentication',
    title: 'Authentication',
    content: html`<p>Every call of your backend carries an API key in the header <code>${keyHeader}</code>. <code>Authorization: Bearer</code> and <code>X-API-Key</code> are not accepted. Keys are made in the dashboard, are shown once, and can end at a set time or be revoked at once. Keep them out of browsers, apps and version control.</p>
${table('What a key may do', ['Scope', 'Allows to'], rows)}`,
  }
}
