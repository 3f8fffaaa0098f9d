import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { DisabledReasonNote } from '../../components/action-button.tsx'
import { DescriptionList } from '../../components/description-list.tsx'
import { Section } from '../../components/page.tsx'
import { Pager, usePaging } from '../../components/pager.tsx'
import { QueryState } from '../../components/query-state.tsx'
import { useDisabledReason } from '../../session/use-disabled-reason.ts'
import { useTrpc } from '../../trpc/trpc.ts'
import { SettingsPage } from '../settings-page.tsx'
import { InvitationsSection } from './invitations-section.tsx'
import { LeaveSection } from './leave-section.tsx'
import { MemberTable } from './member-table.tsx'
import { roleDescriptions, roleLabels, roles } from './roles.ts'

const pageSize = 25

export function MembersPage() {
  const paging = usePaging()
  const query = useQuery(
    useTrpc().members.list.queryOptions(
      { limit: pageSize, cursor: paging.cursor },
      { placeholderData: keepPreviousData },
    ),
  )
  const { data, isPlaceholderData } = query
  const disabledReason = useDisabledReason('members')
  const table = (
    <MemberTable rows={data?.items} isPlaceholder={isPlaceholderData} disabledReason={disabledReason} />
  )
  return (
    <SettingsPage title="Members">
      <Section title="Members" description="Users with access to this tenant in the dashboard.">
        <DisabledReasonNote reason={disabledReason} />
        <QueryState query={query} loading={table}>
          {() => table}
        </QueryState>
        <Pager
          paging={paging}
          nextCursor={data?.nextCursor}
          label="Member pages"
          order="oldest-first"
          isPlaceholder={isPlaceholderData}
        />
      </Section>
      <InvitationsSection disabledReason={disabledReason} />
      <Section title="Roles">
        <DescriptionList
          items={roles.map(role => ({ name: roleLabels[role], value: roleDescriptions[role] }))}
        />
      </Section>
      <LeaveSection />
    </SettingsPage>
  )
}
