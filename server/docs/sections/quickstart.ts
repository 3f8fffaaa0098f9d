import { html } from '../../html/html.ts'
import { codeBlock } from '../prose.ts'
import type { Section } from '../section.ts'

export function quickstartSection(baseUrl: string): Section {
  return {
    id: 'quickstart',
    title: 'Quickstart',
    content: html`<ol class="steps">
<li><p>Start a verification from your backend. The response has a <code>verificationId</code> and a <code>sessionUrl</code>.</p>
${codeBlock('Start a verification', startCommand(baseUrl))}</li>
<li><p>Redirect your user’s browser to the <code>sessionUrl</code>, where the identity provider performs the check.</p></li>
<li><p>Get the result from a <a href="#webhooks">webhook event</a>, or poll the status at the interval <code>config.pollingIntervalMs</code>:</p>
${codeBlock('Retrieve the status', statusCommand(baseUrl))}</li>
<li><p>An approved verification has a signed <a href="#tokens">age token</a>. Store it with the user’s account, and validate it before you grant access.</p>
${codeBlock('Validate a token', validateCommand(baseUrl))}</li>
</ol>`,
  }
}

const keyOption = '-H "x-tenant-api-key: $API_KEY"'
const jsonOption = "-H 'content-type: application/json'"

function startCommand(baseUrl: string): string {
  return `export API_KEY=avk_…

curl -X POST '${baseUrl}/verify/start' \\
  ${keyOption} \\
  ${jsonOption} -d '{}'`
}

function statusCommand(baseUrl: string): string {
  return `curl '${baseUrl}/verify/status?verificationId=VERIFICATION_ID' \\
  ${keyOption}`
}

function validateCommand(baseUrl: string): string {
  return `curl -X POST '${baseUrl}/tokens/validate' \\
  ${keyOption} \\
  ${jsonOption} -d '{"token":"TOKEN"}'`
}
