import { html } from '../../html/html.ts'
import type { Part } from '../part.ts'
import { block } from '../prose.ts'

export function firstStepsPart(baseUrl: string): Part {
  return {
    id: 'first-steps',
    title: 'First steps',
    content: html`<ol class="steps">
<li><p>Your backend starts a verification. The answer has a <code>verificationId</code> and a <code>sessionUrl</code>.</p>
${block('Start a verification', `export API_KEY=avk_…\n\ncurl -X POST '${baseUrl}/verify/start' \\\n  -H "x-tenant-api-key: $API_KEY" \\\n  -H 'content-type: application/json' -d '{}'`)}</li>
<li><p>Send your user’s browser to the <code>sessionUrl</code>. There the identity provider checks the person.</p></li>
<li><p>Learn the result from the <a href="#webhooks">signed event</a>, or by asking every few seconds (<code>config.pollingIntervalMs</code>):</p>
${block('Ask for the status', `curl '${baseUrl}/verify/status?verificationId=VERIFICATION_ID' \\\n  -H "x-tenant-api-key: $API_KEY"`)}</li>
<li><p>An approved verification carries a signed <a href="#tokens">age token</a>. Keep it with the user’s account, and have it validated when it matters.</p>
${block('Validate a token', `curl -X POST '${baseUrl}/tokens/validate' \\\n  -H "x-tenant-api-key: $API_KEY" \\\n  -H 'content-type: application/json' -d '{"token":"TOKEN"}'`)}</li>
</ol>`,
  }
}
