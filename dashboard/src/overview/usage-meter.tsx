import { Text } from '@mantine/core'
import type { Outputs } from '../console/console.ts'
import { formatNumber, formatShare } from '../numbers/format-number.ts'
import { When } from '../time/when.tsx'
import classes from './usage-meter.module.css'

type Usage = Outputs['usage']['current']

/**
 * The month's starts against what the plan allows: the quota, or the hard limit where overage goes on to it. The bar only draws what the
 * words say.
 */
export function UsageMeter({ usage }: { usage: Usage }) {
  const { used, monthlyQuota, hardLimit, overage, resetsAt } = usage
  const end = overage ? Math.max(hardLimit, monthlyQuota) : Math.min(hardLimit, monthlyQuota)
  const width = (number: number) => `${Math.min(100, end === 0 ? 100 : (number / end) * 100)}%`
  return (
    <div>
      <div className={classes.numbers}>
        <p className={classes.used}>
          <strong>{formatNumber(used)}</strong> of {formatNumber(monthlyQuota)} used (
          {formatShare(used, monthlyQuota)})
        </p>
        <p>Hard limit {formatNumber(hardLimit)}</p>
      </div>
      <div className={classes.track} aria-hidden>
        <div className={classes.fill} data-level={levelOf(usage)} style={{ width: width(used) }} />
        {overage && monthlyQuota < end && (
          <div className={classes.mark} style={{ left: width(monthlyQuota) }} title="Monthly quota" />
        )}
      </div>
      <Text size="sm" c="dimmed">
        {whatFollows(usage)} It resets on <When at={resetsAt} />.
      </Text>
    </div>
  )
}

function levelOf({ used, monthlyQuota, hardLimit, overage }: Usage): 'calm' | 'near' | 'over' {
  if (used >= hardLimit || (used >= monthlyQuota && !overage)) return 'over'
  return used >= monthlyQuota * 0.8 ? 'near' : 'calm'
}

function whatFollows({ used, monthlyQuota, hardLimit, overage }: Usage): string {
  if (used >= hardLimit) return 'The hard limit is reached: starts are refused with HARD_LIMIT_EXCEEDED.'
  if (used >= monthlyQuota && !overage) return 'The quota is reached: starts are refused with QUOTA_EXCEEDED.'
  if (used >= monthlyQuota) return 'The quota is used up; overage goes on to the hard limit.'
  if (overage) return 'Beyond the quota, overage goes on to the hard limit.'
  return 'At the quota, further starts are refused.'
}
