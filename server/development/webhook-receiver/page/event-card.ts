import { z } from 'zod'
import { type Html, html } from '../../../html/html.ts'
import type { ReceivedEvent } from '../received-event.ts'

/** One event: what it says, whether to believe it, and what arrived to the letter. */
export function eventCard(event: ReceivedEvent): Html {
  const { receivedAt, signature, headers, body, raw } = event
  const told = completion.safeParse(body).data
  return html`<li class="card ${signature}">
<div class="bar">
<h2>${told ? html`Verification <span class="status">${told.data.status}</span>` : 'Not an event'}</h2>
${verdict(signature)}
</div>
<dl>
${told ? row('Verification', html`<code>${told.data.verificationId}</code>`) : html``}
${row('Received', html`<time datetime="${receivedAt}">${receivedAt.replace('T', ' ').replace('Z', ' UTC')}</time>`)}
${Object.entries(headers).map(([name, value]) => row(headerName(name), html`<code>${value}</code>`))}
</dl>
<pre tabindex="0" aria-label="Body">${body === null ? raw : JSON.stringify(body, null, 2)}</pre>
<details><summary>The signed bytes</summary>
<pre class="raw" tabindex="0" aria-label="Raw body">${raw}</pre>
</details>
</li>
`
}

const completion = z.object({ data: z.object({ verificationId: z.string(), status: z.string() }) })

function verdict(signature: ReceivedEvent['signature']): Html {
  return signature === 'valid'
    ? html`<p class="verdict"><span aria-hidden="true">✓ </span>Signature valid, answered 200</p>`
    : html`<p class="verdict"><span aria-hidden="true">✕ </span>Signature wrong, answered 401</p>`
}

function row(term: string, value: Html): Html {
  return html`<div><dt>${term}</dt><dd>${value}</dd></div>
`
}

/** `x-webhook-event` as people write it. */
function headerName(name: string): string {
  return name.replace(/(^|-)[a-z]/g, letter => letter.toUpperCase())
}
