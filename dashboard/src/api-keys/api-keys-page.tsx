import { Tabs } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { ActionButton, DisabledReasonNote } from '../components/action-button.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Icon } from '../components/icon.tsx'
import { Page } from '../components/page.tsx'
import { Pager, usePaging } from '../components/pager.tsx'
import { QueryState } from '../components/query-state.tsx'
import { useDisabledReason } from '../session/use-disabled-reason.ts'
import { useConfirmedMutation } from '../trpc/mutations.ts'
import { useTrpc } from '../trpc/trpc.ts'
import type { ApiKey } from './api-key.ts'
import { CreateKeyForm } from './create-key-form.tsx'
import { KeyDialog } from './key-dialog.tsx'
import { KeyDrawer } from './key-drawer.tsx'
import { useKeyInUrl } from './key-in-url.ts'
import { EndedKeyTable, LiveKeyTable } from './key-table.tsx'
import { ReplaceKeyForm } from './replace-key-form.tsx'

const pageSize = 25

type State = 'live' | 'ended'

export function ApiKeysPage() {
  const [params, setParams] = useSearchParams()
  const state: State = params.get('state') === 'ended' ? 'ended' : 'live'
  const [creating, { open, close }] = useDisclosure()
  const disabledReason = useDisabledReason('keys')
  const keyInUrl = useKeyInUrl()
  return (
    <Page
      title="API keys"
      description="Your backend authenticates with a key in the x-tenant-api-key header. Never put keys into browsers, apps or version control."
      actions={
        <ActionButton
          disabledReason={disabledReason}
          leftSection={<Icon name="plus" size={16} />}
          onClick={open}
        >
          Create API key
        </ActionButton>
      }
    >
      <DisabledReasonNote reason={disabledReason} />
      <Tabs value={state} onChange={chosen => setParams(chosen === 'ended' ? { state: 'ended' } : {})}>
        <Tabs.List aria-label="API keys by state" mb="md">
          <Tabs.Tab value="live">Active</Tabs.Tab>
          <Tabs.Tab value="ended">Revoked and expired</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={state}>
          <Keys key={state} state={state} disabledReason={disabledReason} />
        </Tabs.Panel>
      </Tabs>
      <KeyDialog opened={creating} onClose={close} title="Create API key">
        {onCreated => <CreateKeyForm onCreated={onCreated} onCancel={close} />}
      </KeyDialog>
      <KeyDrawer apiKeyId={keyInUrl.apiKeyId} onClose={keyInUrl.close} />
    </Page>
  )
}

interface KeysProps {
  state: State
  disabledReason: string | undefined
}

function Keys({ state, disabledReason }: KeysProps) {
  const { apiKeys } = useTrpc()
  const queryClient = useQueryClient()
  const paging = usePaging()
  const list = useRef<HTMLElement>(null)
  const [replaced, setReplaced] = useState<ApiKey>()
  const [isReplacing, { open, close }] = useDisclosure()
  const query = useQuery(
    apiKeys.list.queryOptions(
      { limit: pageSize, cursor: paging.cursor, state },
      { placeholderData: keepPreviousData },
    ),
  )
  const revoke = useConfirmedMutation({
    mutation: apiKeys.revoke.mutationOptions(),
    variables: ({ apiKeyId }: ApiKey) => ({ apiKeyId }),
    successMessage: ({ name }) => `API key "${name}" revoked.`,
    onSuccess: async () => {
      await queryClient.invalidateQueries(apiKeys.pathFilter())
      list.current?.focus()
    },
  })
  const { data, isPlaceholderData } = query
  const table =
    state === 'live' ? (
      <LiveKeyTable
        rows={data?.items}
        isPlaceholder={isPlaceholderData}
        disabledReason={disabledReason}
        onReplace={key => {
          setReplaced(key)
          open()
        }}
        onRevoke={revoke.open}
      />
    ) : (
      <EndedKeyTable rows={data?.items} isPlaceholder={isPlaceholderData} />
    )
  return (
    <section ref={list} tabIndex={-1} aria-label="API keys">
      <QueryState query={query} loading={table}>
        {({ items }) => (items.length === 0 && !paging.cursor ? <NoKeys state={state} /> : table)}
      </QueryState>
      <Pager
        paging={paging}
        nextCursor={data?.nextCursor}
        label="API key pages"
        isPlaceholder={isPlaceholderData}
      />
      <KeyDialog opened={isReplacing} onClose={close} title={`Replace "${replaced?.name}"?`}>
        {onCreated => replaced && <ReplaceKeyForm apiKey={replaced} onCreated={onCreated} onCancel={close} />}
      </KeyDialog>
      <ConfirmDialog title={`Revoke "${revoke.target?.name}"?`} confirmLabel="Revoke key" {...revoke.dialog}>
        Requests with the key {revoke.target?.displayStart}… will fail with 401 immediately. This can't be
        undone. To change keys without a gap, replace the key instead.
      </ConfirmDialog>
    </section>
  )
}

function NoKeys({ state }: { state: State }) {
  return state === 'live' ? (
    <EmptyState
      icon="key"
      title="No API keys yet"
      description="Your backend needs a key to start verifications, read their status and validate tokens."
    />
  ) : (
    <EmptyState
      icon="key"
      title="No revoked or expired keys"
      description="Keys that were revoked or have expired are listed here for 90 days."
    />
  )
}
