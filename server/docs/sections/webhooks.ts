import { providerName } from '#domain/verification/verification.policy.ts'
import { completedEvent, completedEventType } from '#domain/webhook/completed-event.ts'
import { signEvent } from '#domain/webhook/signature.policy.ts'
import { type Html, html } from '../../html/html.ts'
import { codeBlock, prose } from '../prose.ts'
import type { Section } from '../section.ts'
import { table } from '../table.ts'

const exampleSecret = 'whsec_example'
const exampleEvent = completedEvent(
  {
    tenantId: '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b0',
    verificationId: '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1',
    status: 'approved',
    confidence: 0.98,
    provider: providerName,
  },
  new Date('2026-01-31T12:00:00.000Z'),
)

export function webhooksSection(): Section {
  return {
    id: 'webhooks',
    title: 'Webhooks',
    content: html`<p>When a verification is completed, the service sends the event <code>${completedEventType}</code> as a <code>POST</code> request to your webhook URL. Set the URL in the dashboard under Settings; it must use <code>https:</code> and be publicly reachable. Respond with a 2xx status within 5 seconds; redirects count as failures. A failed delivery is retried twice, by default after about 1 minute and again about 10 minutes later. The same event can be delivered more than once: deduplicate by <code>data.verificationId</code>.</p>
${table('Request headers', ['Header', 'Value'], rows(headers))}
${table('JSON body', ['Field', 'Value'], rows(fields))}
<h3>Verify signatures</h3>
<p>Verify the signature over the raw body, before you parse it, with a constant-time comparison. For 24 hours after you rotate the secret, accept both the new and the old one: attempts are signed with them alternately.</p>
${codeBlock('Node.js', node)}
${codeBlock('Python', python)}
<p>You can test your code with this example, which is signed with the secret <code>${exampleSecret}</code>:</p>
${codeBlock('Shell, with openssl', `printf '%s' '${exampleEvent}' | openssl dgst -sha256 -hmac '${exampleSecret}'`)}
${codeBlock('X-Webhook-Signature', signEvent(exampleEvent, exampleSecret))}`,
  }
}

const headers = [
  [
    'X-Webhook-Signature',
    'HMAC-SHA256 of the raw body in hex. The key is the whole webhook secret, as shown in the dashboard.',
  ],
  ['X-Webhook-Event', `The type of the event: \`${completedEventType}\`.`],
] as const

const fields = [
  ['event', `Always \`${completedEventType}\`.`],
  ['tenantId', 'The identifier of your tenant.'],
  ['data.verificationId', 'The identifier that start returned.'],
  ['data.status', 'One of `approved`, `denied`, `resubmission`, `submitted`, `rejected`.'],
  ['data.confidence', 'Number, 0 to 1.'],
  ['data.provider', 'Always `veriff`.'],
  ['timestamp', 'When the verification was completed, as an ISO 8601 timestamp.'],
] as const

function rows(pairs: readonly (readonly [name: string, value: string])[]): Html[][] {
  return pairs.map(([name, value]) => [html`<code>${name}</code>`, html`${prose(value)}`])
}

const node = `import { createHmac, timingSafeEqual } from 'node:crypto'

function isAuthentic(rawBody, signature, secrets) {
  const given = Buffer.from(signature, 'hex')
  return secrets.some(secret => {
    const expected = createHmac('sha256', secret).update(rawBody).digest()
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}`

const python = `import hashlib, hmac

def is_authentic(raw_body: bytes, signature: str, secrets: list[str]) -> bool:
    return any(
        hmac.compare_digest(hmac.new(s.encode(), raw_body, hashlib.sha256).hexdigest().encode(), signature.encode())
        for s in secrets
    )`
