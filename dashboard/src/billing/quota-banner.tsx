import { Alert, Anchor } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Icon } from '../components/icon.tsx'
import { useMembership } from '../session/session-context.ts'
import { useTenantPath } from '../session/tenant-path.ts'
import { useTrpc } from '../trpc/trpc.ts'
import { describeLevel, describeOutlook, quotaLevel } from './quota.ts'

const refreshMs = 60_000

/** Warns on every page from 80% of the monthly quota on: in one line, until it is reached. Only the last level can't be dismissed. */
export function QuotaBanner() {
  const { tenantId, rights } = useMembership()
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
      py={isReached ? 'sm' : 6}
      icon={<Icon name={level === 'overage' ? 'info-circle' : 'alert-triangle'} size={20} />}
      role="status"
      withCloseButton={!isReached}
      closeButtonLabel="Dismiss the quota warning"
      onClose={() => dismiss(dismissal)}
      {...(isReached && { title: describeLevel(usage) })}
    >
      {isReached ? (
        <>
          POST /verify/start responds with{' '}
          {usage.used >= usage.hardLimit ? 'HARD_LIMIT_EXCEEDED' : 'QUOTA_EXCEEDED'}. Verifications in
          progress still complete. {describeOutlook(usage)}{' '}
          {rights.includes('tenant')
            ? 'Ask the operator of this service for a larger plan.'
            : 'Ask an owner of this tenant to get a larger plan.'}
        </>
      ) : (
        <>
          <b>{describeLevel(usage)}.</b> {describeOutlook(usage)}
        </>
      )}{' '}
      <Anchor component={Link} to={tenantPath('/billing')} inherit underline="always">
        Billing
      </Anchor>
    </Alert>
  )
}
