import { Alert, Anchor } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Icon } from '../components/icon.tsx'
import { DayOf, UtcDay } from '../components/timestamp.tsx'
import { useMembership } from '../session/session-context.ts'
import { useTenantPath } from '../session/tenant-path.ts'
import { useTrpc } from '../trpc/trpc.ts'
import { describeLevel, limitOf, quotaLevel, type Usage } from './quota.ts'

const refreshMs = 60_000

/** Warns on every page from 80% of the monthly quota on. Can be dismissed at each level but the last. */
export function QuotaBanner() {
  const { tenantId } = useMembership()
  const tenantPath = useTenantPath()
  const { data: usage } = useQuery(
    useTrpc().usage.current.queryOptions(undefined, { refetchInterval: refreshMs }),
  )
  const [dismissed, dismiss] = useLocalStorage({
    key: `age-verification.quota-dismissed.${tenantId}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  if (!usage) return null
  const level = quotaLevel(usage)
  // The level of one month says nothing about the next one.
  const dismissal = `${usage.resetsAt} ${level}`
  if (level === 'normal' || dismissed === dismissal) return null
  const isReached = level === 'reached'
  return (
    <Alert
      color={isReached ? 'red' : level === 'overage' ? 'blue' : 'orange'}
      variant="light"
      icon={level === 'overage' ? <Icon name="info-circle" /> : <Icon name="alert-triangle" />}
      title={describeLevel(usage)}
      role="status"
      withCloseButton={!isReached}
      closeButtonLabel="Dismiss the quota warning"
      onClose={() => dismiss(dismissal)}
    >
      <Outlook usage={usage} /> <Advice />{' '}
      <Anchor component={Link} to={tenantPath('/billing')} inherit underline="always">
        Plan and usage
      </Anchor>
    </Alert>
  )
}

/** When starts will be rejected, or how long they already are. */
function Outlook({ usage }: { usage: Usage }) {
  const { used, monthlyQuota, hardLimit, resetsAt, projectedEndAt } = usage
  if (used >= limitOf(usage)) {
    const code = used >= hardLimit ? 'HARD_LIMIT_EXCEEDED' : 'QUOTA_EXCEEDED'
    return (
      <>
        POST /verify/start responds with {code} until <UtcDay day={resetsAt.slice(0, 10)} />. Verifications in
        progress still complete.
      </>
    )
  }
  if (projectedEndAt) {
    return (
      <>
        At the pace of the last 7 days, new verifications will be rejected from about{' '}
        <DayOf at={projectedEndAt} />.
      </>
    )
  }
  return used >= monthlyQuota
    ? 'New verifications count as overage. At the pace of the last 7 days, the hard limit is not reached this month.'
    : 'At the pace of the last 7 days, the quota is enough for this month.'
}

function Advice() {
  const { rights } = useMembership()
  return rights.includes('tenant')
    ? 'Ask the operator of this service for a larger plan.'
    : 'Ask an owner of this tenant to get a larger plan.'
}
