import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { ActionButton, DisabledReasonNote } from '../../components/action-button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Section } from '../../components/page.tsx'
import { Pager, usePaging } from '../../components/pager.tsx'
import { QueryState } from '../../components/query-state.tsx'
import { useMembership, useSession } from '../../session/session-context.ts'
import { disabledTenantReason, useDisabledReason } from '../../session/use-disabled-reason.ts'
import { useConfirmedMutation } from '../../trpc/mutations.ts'
import { useTrpc } from '../../trpc/trpc.ts'
import { SettingsPage } from '../settings-page.tsx'
import { InvitationsSection } from './invitations-section.tsx'
import { MemberTable } from './member-table.tsx'

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
      <LeaveSection />
    </SettingsPage>
  )
}

function LeaveSection() {
  const { tenantName, enabled } = useMembership()
  const { refresh } = useSession()
  const navigate = useNavigate()
  const leave = useConfirmedMutation({
    mutation: useTrpc().members.leave.mutationOptions(),
    variables: () => undefined,
    successMessage: () => `You left ${tenantName}.`,
    onSuccess: async () => {
      await refresh()
      await navigate('/', { replace: true })
    },
  })
  return (
    <Section
      title="Leave this tenant"
      description="You lose your access. To come back, you need a new invitation. The last owner can't leave."
    >
      <div>
        <ActionButton
          variant="default"
          disabledReason={enabled ? undefined : disabledTenantReason}
          onClick={() => leave.open()}
        >
          Leave tenant
        </ActionButton>
      </div>
      <ConfirmDialog title={`Leave ${tenantName}?`} confirmLabel="Leave tenant" {...leave.dialog}>
        You lose access to this tenant immediately. API keys that you created keep working.
      </ConfirmDialog>
    </Section>
  )
}
