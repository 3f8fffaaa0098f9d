import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Icon } from '../components/icon.tsx'
import { useTrpc } from '../trpc/trpc.ts'

/** Warns on every page while the API rejects all of the tenant's requests. */
export function TenantBanner() {
  const { data: tenant } = useQuery({ ...useTrpc().tenant.get.queryOptions(), refetchInterval: 60_000 })
  if (!tenant || (tenant.enabled && tenant.subscription === 'active')) return null
  const { title, text } = tenant.enabled ? inactiveSubscription : disabledTenant
  return (
    <Alert
      color={tenant.enabled ? 'orange' : 'red'}
      variant="light"
      icon={<Icon name="alert-triangle" />}
      title={title}
      role="status"
    >
      {text}
    </Alert>
  )
}

const inactiveSubscription = {
  title: 'The subscription is inactive',
  text: 'The API rejects every request with 402 BILLING_INACTIVE until the subscription is active again. Verifications in progress still complete, and their webhook events are delivered.',
}

const disabledTenant = {
  title: 'This tenant is disabled',
  text: 'The API rejects every request with 401 TENANT_INACTIVE. You can view data here but not change it. Contact the operator of this service to enable the tenant.',
}
