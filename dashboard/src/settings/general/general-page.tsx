import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CopyableText } from '../../components/copyable-text.tsx'
import { DescriptionList } from '../../components/description-list.tsx'
import { Section } from '../../components/page.tsx'
import { QueryState } from '../../components/query-state.tsx'
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
  const query = useQuery(useTrpc().tenant.get.queryOptions(undefined, { staleTime: 0 }))
  return (
    <Section title="Tenant">
      <QueryState query={query} loading={<Skeleton h={{ base: 177, xs: 158 }} />}>
        {({ tenantId, name }) => (
          <>
            <DescriptionList
              items={[{ name: 'Tenant ID', value: <CopyableText value={tenantId} label="tenant ID" /> }]}
            />
            <TenantNameForm name={name} />
          </>
        )}
      </QueryState>
    </Section>
  )
}

function ReturnUrlSection() {
  const query = useQuery(useTrpc().settings.get.queryOptions(undefined, { staleTime: 0 }))
  return (
    <Section
      title="Return URL"
      description="Where users are redirected after the check, with verificationId in the query string. The redirect doesn't contain the result: your backend gets it from the webhook or the status endpoint."
    >
      <QueryState query={query} loading={<Skeleton h={{ base: 139, xs: 125 }} />}>
        {({ returnUrl }) => <ReturnUrlForm returnUrl={returnUrl} />}
      </QueryState>
    </Section>
  )
}
