import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { ActionButton, DisabledReasonNote } from '../../components/action-button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { disabledTenantReason } from '../../components/console-error.ts'
import { NoResults } from '../../components/empty-state.tsx'
import { useConfirmedMutation } from '../../components/mutations.ts'
import { Section } from '../../components/page.tsx'
import { usePaging } from '../../components/pager.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { useConfig } from '../../config.ts'
import { useDisabledReason, useMembership, useSession } from '../../session/session-context.ts'
import { useSignIn } from '../../sign-in/sign-in-context.ts'
import { useTrpc } from '../../trpc/trpc.ts'
import { SettingsPage } from '../settings-page.tsx'
import { CreatedKeys } from './created-keys.tsx'
import { InvitationsSection, InviteMember } from './invitations-section.tsx'
import { MemberTable } from './member-table.tsx'
import type { User } from './roles.tsx'

const pageSize = 25
const typingPauseMs = 250

/** Of the owner whom the service would neither let leave nor be changed. */
const requiredReason =
  'A tenant needs an owner who has signed in. Make another member who has signed in an owner first.'

export function MembersPage() {
  const { members } = useTrpc()
  const paging = usePaging()
  const linked = useSearchParams()[0].get('search') ?? ''
  const [text, setText] = useState(linked)
  useEffect(() => setText(linked), [linked])
  const [search] = useDebouncedValue(text.trim(), typingPauseMs)
  const query = useQuery(
    members.list.queryOptions(
      { limit: pageSize, cursor: paging.cursor, search: search || undefined },
      { placeholderData: keepPreviousData },
    ),
  )
  const { data } = query
  const disabledReason = useDisabledReason('members')
  const isRequired = ({ subject, issuer }: User) =>
    data?.requiredOwner?.subject === subject && data.requiredOwner.issuer === issuer
  const find = (typed: string) => {
    paging.showFirst()
    setText(typed)
  }
  return (
    <SettingsPage title="Members" actions={<InviteMember />}>
      <Section
        title="Who has access"
        actions={
          <SearchField
            flex="1 1 12rem"
            aria-label="Search members"
            placeholder="Name, e-mail address or role"
            maxLength={searchLengthMax}
            value={text}
            onSearch={find}
          />
        }
      >
        <DisabledReasonNote reason={disabledReason} />
        <MemberTable
          query={query}
          paging={paging}
          disabledReason={member => disabledReason ?? (isRequired(member) ? requiredReason : undefined)}
          empty={<NoResults by="search" onClear={() => find('')} />}
        />
        {data && <LeaveTenant isRequired={isRequired} />}
      </Section>
      {/* Not before the table has its height, which would move it. */}
      {data && <InvitationsSection />}
    </SettingsPage>
  )
}

const searchLengthMax = 320

function LeaveTenant({ isRequired }: { isRequired: (user: User) => boolean }) {
  const { tenantName, enabled } = useMembership()
  const { subject } = useSignIn()
  const { issuer } = useConfig()
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
  const reason = isRequired({ subject, issuer }) ? requiredReason : undefined
  return (
    <>
      <ActionButton
        variant="default"
        size="xs"
        style={{ alignSelf: 'start' }}
        disabledReason={enabled ? reason : disabledTenantReason}
        onClick={() => leave.open()}
      >
        Leave tenant
      </ActionButton>
      <ConfirmDialog title={`Leave ${tenantName}?`} confirmLabel="Leave tenant" {...leave.dialog}>
        You lose access to this tenant immediately, and need a new invitation to come back.
        <CreatedKeys member={{ subject, issuer }} by="you" />
      </ConfirmDialog>
    </>
  )
}
