import { Skeleton, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CopyableText } from '../components/copyable-text.tsx'
import { DescriptionList } from '../components/description-list.tsx'
import { Section } from '../components/page.tsx'
import { QueryState } from '../components/query-state.tsx'
import { useDisabledReason, useSession } from '../session/session-context.ts'
import { useTrpc } from '../trpc/trpc.ts'
import { ServerForm, useServerForm } from './server-form.tsx'
import { SettingsPage } from './settings-page.tsx'
import { UrlForm } from './url-form.tsx'

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
      <QueryState query={query} loading={<Skeleton h={{ base: 208, xs: 145 }} />}>
        {({ tenantId, name, retentionDays }) => (
          <>
            <DescriptionList
              items={[
                { name: 'Tenant ID', value: <CopyableText value={tenantId} label="tenant ID" /> },
                {
                  name: 'Retention',
                  value: `Verifications are deleted after ${retentionDays === 1 ? '1 day' : `${retentionDays} days`}. Only the operator of this service can change that.`,
                },
              ]}
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
      title="After the check"
      description="Where users are redirected after the check, with verificationId in the query string. The redirect doesn't contain the result: your backend gets it from the webhook or the status endpoint."
    >
      <QueryState query={query} loading={<Skeleton h={{ base: 103, xs: 89 }} />}>
        {({ returnUrl }) => <UrlForm kind="returnUrl" url={returnUrl} />}
      </QueryState>
    </Section>
  )
}

const nameLengthMax = 200

function TenantNameForm({ name }: { name: string }) {
  const disabledReason = useDisabledReason('tenant')
  const { refresh } = useSession()
  const { tenant } = useTrpc()
  const form = useServerForm({
    stored: name,
    mutation: tenant.update.mutationOptions(),
    queryKey: tenant.get.queryKey(),
    variables: (changed, expectedName) => ({ name: changed, expectedName }),
    inputField: 'name',
    successMessage: () => 'Name saved.',
    saved: ({ name }) => name,
    onSuccess: refresh,
    onEmpty: () => undefined,
  })
  return (
    <ServerForm form={form} saveLabel="Save name" disabledReason={disabledReason}>
      <TextInput
        label="Name"
        ref={form.input}
        value={form.value}
        error={form.value.trim() === '' ? 'Enter a name.' : form.fieldError}
        maxLength={nameLengthMax}
        readOnly={disabledReason !== undefined}
        onChange={event => form.change(event.currentTarget.value)}
      />
    </ServerForm>
  )
}
