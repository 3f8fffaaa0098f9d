import { defaultPlan } from '#domain/plan/ensure-default-plan.ts'
import { html } from '../../html/html.ts'
import type { Part } from '../part.ts'
import { prose } from '../prose.ts'
import { table } from '../table.ts'

const headers = [
  ['X-RateLimit-Limit', 'requests allowed in the current window'],
  ['X-RateLimit-Remaining', 'requests remaining in it'],
  ['X-RateLimit-Reset', 'when it ends, as a Unix timestamp in seconds'],
  ['Retry-After', 'seconds to wait, with every 429'],
] as const

export function limitsPart(): Part {
  const count = (value: number) => value.toLocaleString('en')
  const limits = [
    [
      '`POST /verify/start`, `/verify/complete`, `/verify/submit`',
      `${count(defaultPlan.rateLimitPerMinute)} a minute and key, together`,
    ],
    [
      '`GET /verify/status`, `POST /tokens/validate`',
      `${count(defaultPlan.readRateLimitPerMinute)} a minute and key, together`,
    ],
    [
      'Verifications started',
      `${count(defaultPlan.monthlyQuota)} a UTC month (\`QUOTA_EXCEEDED\`), unless the plan allows more; ${count(defaultPlan.hardLimit)} in any case (\`HARD_LIMIT_EXCEEDED\`)`,
    ],
    ['Request bodies', '16 KiB; 64 KiB on `/tokens/validate`'],
  ] as const
  return {
    id: 'limits',
    title: 'Limits',
    content: html`<p>These are the default plan’s values; yours may be others. A window is one minute long.</p>
${table(
  'Limits',
  ['What', 'Limit'],
  limits.map(([what, limit]) => [html`${prose(what)}`, html`${prose(limit)}`]),
)}
${table(
  'Headers on the answers of rate-limited endpoints',
  ['Header', 'Meaning'],
  headers.map(([name, meaning]) => [html`<code>${name}</code>`, html`${meaning}`]),
)}`,
  }
}
