import { Badge } from '../badge/badge.tsx'
import type { Outputs } from '../console/console.ts'
import { formatNumber } from '../numbers/format-number.ts'

type Billing = Outputs['billing']['get']

export function planFacts({ plan, subscription, enabled }: Billing) {
  const isActive = subscription === 'active'
  return [
    { name: 'Plan', value: plan },
    {
      name: 'Subscription',
      value: <Badge tone={isActive ? 'approved' : 'attention'}>{isActive ? 'Active' : 'Inactive'}</Badge>,
    },
    {
      name: 'Tenant',
      value: <Badge tone={enabled ? 'approved' : 'denied'}>{enabled ? 'Enabled' : 'Disabled'}</Badge>,
    },
  ]
}

export function limitFacts(limits: Billing['limits']) {
  const { rateLimitPerMinute, readRateLimitPerMinute, monthlyQuota, hardLimit, overage } = limits
  return [
    {
      name: 'Starts',
      value: `${formatNumber(rateLimitPerMinute)} a minute and key, with submits and completes`,
    },
    {
      name: 'Reads',
      value: `${formatNumber(readRateLimitPerMinute)} a minute and key: status and token validation`,
    },
    { name: 'Monthly quota', value: `${formatNumber(monthlyQuota)} verifications started in a UTC month` },
    { name: 'Hard limit', value: `${formatNumber(hardLimit)} verifications started in a UTC month` },
    {
      name: 'Overage',
      value: overage ? 'Starts go on from the quota to the hard limit' : 'None: starts end at the quota',
    },
  ]
}
