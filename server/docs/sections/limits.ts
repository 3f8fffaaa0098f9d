import { failuresPerMinute } from '#domain/authentication-failures.ts'
import { defaultPlan } from '#domain/plan/ensure-default-plan.ts'
import { html } from '../../html/html.ts'
import { prose } from '../prose.ts'
import type { Section } from '../section.ts'
import { table } from '../table.ts'

const headers = [
  ['X-RateLimit-Limit', 'Requests allowed in the current window.'],
  ['X-RateLimit-Remaining', 'Requests remaining in the current window.'],
  ['X-RateLimit-Reset', 'When the window resets, as a Unix timestamp in seconds.'],
  [
    'Retry-After',
    'Seconds to wait before retrying. Present with every 429, and while the service is overloaded.',
  ],
] as const

export function limitsSection(): Section {
  const count = (value: number) => value.toLocaleString('en')
  const limits = [
    [
      '`POST /verify/start`, `/verify/complete`, `/verify/submit`',
      `${count(defaultPlan.rateLimitPerMinute)} requests per minute and key, combined`,
    ],
    [
      '`GET /verify/status`, `POST /tokens/validate`',
      `${count(defaultPlan.readRateLimitPerMinute)} requests per minute and key, combined`,
    ],
    [
      'Verifications started',
      `${count(defaultPlan.monthlyQuota)} per UTC month (\`QUOTA_EXCEEDED\`), unless the plan allows overage; never more than ${count(defaultPlan.hardLimit)} (\`HARD_LIMIT_EXCEEDED\`)`,
    ],
    [
      'Requests with an invalid key',
      `${failuresPerMinute} per minute and client address; requests with a valid key are not counted`,
    ],
    ['Request bodies', '16 KiB; 64 KiB on `/tokens/validate`'],
  ] as const
  return {
    id: 'limits',
    title: 'Limits',
    content: html`<p>These are the limits of the default plan; your plan’s limits may differ. Rate limits use fixed windows of one minute.</p>
${table(
  'Limits',
  ['Resource', 'Limit'],
  limits.map(([what, limit]) => [html`${prose(what)}`, html`${prose(limit)}`]),
)}
${table(
  'Response headers of rate-limited endpoints',
  ['Header', 'Description'],
  headers.map(([name, meaning]) => [html`<code>${name}</code>`, html`${meaning}`]),
)}`,
  }
}
