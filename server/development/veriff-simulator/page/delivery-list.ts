import { type Html, html } from '../../../html/html.ts'
import type { Delivery } from '../webhook/delivery.ts'

/** Which webhooks were sent, and what the service answered to each. */
export function deliveryList(deliveries: Delivery[]): Html {
  if (deliveries.length === 0) return html``
  return html`<section class="card deliveries" aria-labelledby="deliveries-title">
<h2 id="deliveries-title">What the service was told</h2>
<ol>${deliveries.map(item)}</ol>
</section>`
}

function item(delivery: Delivery): Html {
  const accepted = delivery.state === 'accepted'
  return html`<li class="${accepted ? 'accepted' : 'pending'}"><span class="what">${delivery.title}</span>
<span class="answer">${answerText(delivery)}</span></li>`
}

function answerText(delivery: Delivery): string {
  const answer = delivery.status === null ? (delivery.error ?? 'no answer yet') : `answer ${delivery.status}`
  switch (delivery.state) {
    case 'accepted':
      return 'Accepted by the service (200)'
    case 'given-up':
      return `Not accepted (${answer}), not tried again`
    case 'held':
      return 'Held back'
    case 'waiting':
      return `Not accepted so far (${answer}), next try ${timeOf(delivery.nextTryAt)}`
  }
}

function timeOf(time: string | null): string {
  return time === null ? 'soon' : `at ${time.slice(11, 19)} UTC`
}
