import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../console/console.ts'

/** On every page while the tenant's requests are refused as a whole. */
export function TenantBanner() {
  const { data: tenant } = useQuery({ ...useConsole().tenant.get.queryOptions(), refetchInterval: 60_000 })
  if (!tenant || (tenant.enabled && tenant.subscription === 'active')) return null
  const words = tenant.enabled ? unpaid : disabled
  return (
    <Alert
      color={tenant.enabled ? 'orange' : 'red'}
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title={words.title}
      role="status"
    >
      {words.text}
    </Alert>
  )
}

const unpaid = {
  title: 'The subscription is inactive',
  text: 'The API answers every request with 402 BILLING_INACTIVE until it is active again. Verifications under way still finish, and their events are sent.',
}

const disabled = {
  title: 'This tenant is disabled',
  text: 'The API answers every request with 401 TENANT_INACTIVE. Everything here can be read, but not changed. Ask whoever runs this service to enable it.',
}
