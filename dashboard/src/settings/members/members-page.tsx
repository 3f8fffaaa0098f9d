import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { DisabledReasonNote } from '../../components/action-button.tsx'
import { DescriptionList } from '../../components/description-list.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Section } from '../../components/page.tsx'
import { Pager, usePaging } from '../../components/pager.tsx'
import { useDisabledReason } from '../../session/use-disabled-reason.ts'
import { useTrpc } from '../../trpc/trpc.ts'
import { SettingsPage } from '../settings-page.tsx'
import { InvitationsSection } from './invitations-section.tsx'
import { LeaveSection } from './leave-section.tsx'
import { MemberTable } from './member-table.tsx'
import { roleDescriptions, roles } from './roles.ts'

const pageSize = 25

export function MembersPage() {
  const paging = usePaging()
  const { data, error, refetch } = useQuery({
    ...useTrpc().members.list.queryOptions({ limit: pageSize, cursor: paging.cursor }),
    placeholderData: keepPreviousData,
  })
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
        <Pager paging={paging} nextCursor={data?.nextCursor} label="Member pages" order="oldest-first" />
      </Section>
      <InvitationsSection disabledReason={disabledReason} />
      <Section title="Roles">
        <DescriptionList items={roles.map(role => ({ name: role, value: roleDescriptions[role] }))} />
      </Section>
      <LeaveSection />
    </SettingsPage>
  )
}
