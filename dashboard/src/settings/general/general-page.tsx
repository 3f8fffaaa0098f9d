import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CopyableText } from '../../components/copyable-text.tsx'
import { DescriptionList } from '../../components/description-list.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Section } from '../../components/page.tsx'
import { useTrpc } from '../../trpc/trpc.ts'
import { SettingsPage } from '../settings-page.tsx'
import { ReturnUrlForm } from './return-url-form.tsx'
import { TenantNameForm } from './tenant-name-form.tsx'

export function GeneralPage() {
  return (
    <SettingsPage title="Settings">
      <TenantSection />
      <ReturnUrlSection />
    </SettingsPage>
  )
}

function TenantSection() {
  const { data, error, refetch } = useQuery(useTrpc().tenant.get.queryOptions())
  return (
    <Section title="Tenant">
      {error && !data ? (
        <ErrorAlert error={error} onRetry={refetch} />
      ) : data ? (
        <>
          <DescriptionList
            items={[{ name: 'Tenant ID', value: <CopyableText value={data.tenantId} label="tenant ID" /> }]}
          />
          <TenantNameForm name={data.name} />
        </>
      ) : (
        <Skeleton h={{ base: 177, xs: 158 }} />
      )}
    </Section>
  )
}

function ReturnUrlSection() {
  const { data, error, refetch } = useQuery(useTrpc().settings.get.queryOptions())
  return (
    <Section
      title="Return URL"
      description="Where users are redirected after the check, with verificationId in the query string. The redirect doesn't contain the result: your backend gets it from the webhook or the status endpoint."
    >
      {error && !data ? (
        <ErrorAlert error={error} onRetry={refetch} />
      ) : data ? (
        <ReturnUrlForm returnUrl={data.returnUrl} />
      ) : (
        <Skeleton h={{ base: 139, xs: 125 }} />
      )}
    </Section>
  )
}
