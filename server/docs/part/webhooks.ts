import { providerName } from '#domain/verification/verification.policy.ts'
import { completedEvent, completedEventType } from '#domain/webhook/completed-event.ts'
import { signEvent } from '#domain/webhook/signature.policy.ts'
import { type Html, html } from '../../html/html.ts'
import type { Part } from '../part.ts'
import { block, prose } from '../prose.ts'
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

export function webhooksPart(): Part {
  return {
    id: 'webhooks',
    title: 'Webhooks',
    content: html`<p>When a verification is completed, one event, <code>${completedEventType}</code>, is posted to the webhook URL that you set in the dashboard under Settings. The URL has to be <code>https:</code> and publicly reachable. Answer with a 2xx status within 5 seconds; a redirect counts as a failure. Three attempts are made at most; by default the second follows after about 1 minute, the third about 10 minutes later. The same event can arrive twice: deduplicate by <code>data.verificationId</code>.</p>
${table('Request headers', ['Header', 'Value'], rows(headers))}
${table('JSON body', ['Field', 'Value'], rows(fields))}
<h3>Check the signature</h3>
<p>Over the raw bytes, before they are parsed, and in constant time. After the secret was rotated, both the new and the old one are to be accepted for 24 hours: attempts take turns in signing with them.</p>
${block('Node.js', node)}
${block('Python', python)}
<p>An example to check your own code by, with the secret <code>${exampleSecret}</code>:</p>
${block('Shell, with openssl', `printf '%s' '${exampleEvent}' | openssl dgst -sha256 -hmac '${exampleSecret}'`)}
${block('X-Webhook-Signature', signEvent(exampleEvent, exampleSecret))}`,
  }
}

const headers = [
  [
    'X-Webhook-Signature',
    'Hex-encoded HMAC-SHA256 of the raw body, keyed with the webhook secret as it is shown.',
  ],
  ['X-Webhook-Event', `\`${completedEventType}\``],
] as const

const fields = [
  ['event', `always \`${completedEventType}\``],
  ['tenantId', 'your tenant'],
  ['data.verificationId', 'as the start answered it'],
  ['data.status', 'one of `approved`, `denied`, `resubmission`, `submitted`, `rejected`'],
  ['data.confidence', 'number, 0 to 1'],
  ['data.provider', 'always `veriff`'],
  ['timestamp', 'ISO 8601 time'],
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
        hmac.compare_digest(hmac.new(s.encode(), raw_body, hashlib.sha256).hexdigest(), signature)
        for s in secrets
    )`
