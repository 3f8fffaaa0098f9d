import { useQuery } from '@tanstack/react-query'
import { DisabledReasonNote } from '../../components/action-button.tsx'
import { DescriptionList } from '../../components/description-list.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Section } from '../../components/page.tsx'
import { useDisabledReason } from '../../session/use-disabled-reason.ts'
import { useTrpc } from '../../trpc/trpc.ts'
import { SettingsPage } from '../settings-page.tsx'
import { AddMemberForm } from './add-member-form.tsx'
import { MemberTable } from './member-table.tsx'
import { roleDescriptions, roles } from './roles.ts'

export function MembersPage() {
  const { data, error, refetch } = useQuery(useTrpc().members.list.queryOptions())
  const disabledReason = useDisabledReason('members')
  return (
    <SettingsPage title="Members">
      <Section title="Members" description="Users with access to this tenant in the dashboard.">
        <DisabledReasonNote reason={disabledReason} />
        {error && !data ? (
          <ErrorAlert error={error} onRetry={refetch} />
        ) : (
          <MemberTable rows={data?.items} disabledReason={disabledReason} />
        )}
      </Section>
      <Section title="Add a member">
        <AddMemberForm disabledReason={disabledReason} />
      </Section>
      <Section title="Roles">
        <DescriptionList items={roles.map(role => ({ name: role, value: roleDescriptions[role] }))} />
      </Section>
    </SettingsPage>
  )
}
