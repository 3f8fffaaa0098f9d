import { CloseButton, Group, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { describeLevel, quotaLevel, type Usage } from '../billing/quota.ts'
import { Icon } from '../components/icon.tsx'
import { Timestamp, UtcDay } from '../components/timestamp.tsx'
import { TenantLink } from '../session/links.tsx'
import { type Standing, useMembership, useSession, useTenantPath } from '../session/session-context.ts'
import classes from './banners.module.css'

/**
 * What the members of a tenant have to know on every page. The session says it, so that it is drawn with the page and
 * moves nothing.
 */
export function Banners() {
  const { standing } = useSession()
  const { enabled, test, rights } = useMembership()
  const toPath = useTenantPath()
  const { pathname } = useLocation()
  // The page itself says more.
  const isAt = (path: string) => pathname === toPath(path)
  return (
    <>
      {test && <Strip title="Test tenant: nothing here is real" />}
      {!enabled && (
        <Strip tone="denied" title="This tenant is disabled">
          The API rejects every request with 401 TENANT_INACTIVE. You can view data here but not change it. Contact the
          operator of this service to enable the tenant.
        </Strip>
      )}
      {enabled && standing?.subscription === 'inactive' && (
        <Strip tone="denied" title="The subscription is inactive">
          The API rejects every request with 402 BILLING_INACTIVE until the subscription is active again. Verifications
          in progress still complete, and their webhook events are delivered.
        </Strip>
      )}
      {standing?.failingDeliveries && rights.includes('settings') && !isAt('/settings/webhook') && (
        <FailingDeliveries {...standing.failingDeliveries} />
      )}
      {standing && !isAt('/billing') && <Quota tenantId={standing.tenantId} usage={standing.usage} />}
    </>
  )
}

/** Gone as soon as an event is accepted. */
function FailingDeliveries(failing: NonNullable<Standing['failingDeliveries']>) {
  const { events, at, since, description, firstDescription } = failing
  const which = events === 1 ? 'The last event was' : `The last ${events} events were`
  return (
    <Strip tone="attention" title={`${which} not accepted`}>
      <span key={at}>
        Since <Timestamp at={since} />: {firstDescription}. Latest, <Timestamp at={at} />:{' '}
        {description === firstDescription ? 'the same' : description}.
      </span>{' '}
      <TenantLink to="/settings/webhook">What to do</TenantLink>
    </Strip>
  )
}

/** Warns from 80% of the monthly quota on. Can be dismissed at each level but the last. */
function Quota({ tenantId, usage }: { tenantId: string; usage: Usage }) {
  const level = quotaLevel(usage)
  const [dismissed, dismiss] = useLocalStorage({
    key: `age-verification.quota-dismissed.${tenantId}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  // The level of one month says nothing about the next one.
  const dismissal = `${usage.resetsAt} ${level}`
  if (level === 'normal' || dismissed === dismissal) return null
  const link = <TenantLink to="/billing">Plan and usage</TenantLink>
  if (level === 'reached') {
    const code = usage.used >= usage.hardLimit ? 'HARD_LIMIT_EXCEEDED' : 'QUOTA_EXCEEDED'
    return (
      <Strip tone="denied" title={describeLevel(usage)}>
        POST /verify/start responds with {code} until <UtcDay day={usage.resetsAt.slice(0, 10)} />. Verifications in
        progress still complete. An owner gets a larger plan from the operator. {link}
      </Strip>
    )
  }
  return (
    <Strip
      tone={level === 'overage' ? undefined : 'attention'}
      title={describeLevel(usage)}
      onDismiss={() => {
        dismiss(dismissal)
        document.querySelector<HTMLElement>('main h1')?.focus()
      }}
    >
      {link}
    </Strip>
  )
}

interface StripProps {
  /** A note if omitted. */
  tone?: 'attention' | 'denied' | undefined
  title: string
  /** Follows the title. */
  children?: ReactNode
  onDismiss?: () => void
}

function Strip({ tone, title, children, onDismiss }: StripProps) {
  return (
    <Group role="status" className={classes.strip} data-tone={tone} gap="0.5rem" wrap="nowrap">
      <Icon name={tone ? 'alert-triangle' : 'info-circle'} size={16} />
      <Text inherit flex={1} miw={0}>
        <b>{title}</b>
        {children && <>. {children}</>}
      </Text>
      {onDismiss && <CloseButton size="sm" aria-label="Dismiss the quota warning" onClick={onDismiss} />}
    </Group>
  )
}
