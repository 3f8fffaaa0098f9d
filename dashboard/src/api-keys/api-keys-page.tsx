import { Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { startTransition, useState } from 'react'
import { useSearchParams } from 'react-router'
import { ActionButton, DisabledReasonNote } from '../components/action-button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Icon } from '../components/icon.tsx'
import { LinkTabs } from '../components/link-tabs.tsx'
import { Page } from '../components/page.tsx'
import { PagedTable } from '../components/paged-table.tsx'
import { usePaging } from '../components/pager.tsx'
import { SearchField } from '../components/search-field.tsx'
import { useDisabledReason } from '../session/session-context.ts'
import { useTrpc } from '../trpc/trpc.ts'
import { reasonForNoKey } from './api-key.ts'
import { CreateKeyForm } from './create-key-form.tsx'
import { KeyDialog } from './key-dialog.tsx'
import { KeyDrawer } from './key-drawer.tsx'
import { endedColumns } from './key-table.tsx'
import { LiveKeys, useLiveKeys } from './live-keys.tsx'

const endedPageSize = 25

export function ApiKeysPage() {
  const [params] = useSearchParams()
  const isLive = params.get('state') !== 'ended'
  const [search, setSearch] = useState('')
  const [creating, { open, close }] = useDisclosure()
  const { data: liveKeys } = useLiveKeys()
  const disabledReason = useDisabledReason('keys')
  const reasonNotToCreate = disabledReason ?? reasonForNoKey(liveKeys)
  return (
    <Page
      title="API keys"
      actions={
        <ActionButton
          disabledReason={reasonNotToCreate}
          leftSection={<Icon name="plus" size={16} />}
          onClick={() => startTransition(open)}
        >
          Create API key
        </ActionButton>
      }
    >
      <DisabledReasonNote reason={reasonNotToCreate} />
      <Group align="flex-end" gap="0.5rem 1rem">
        <LinkTabs
          label="API keys by state"
          tabs={[
            { label: 'Active', to: { search: '' }, isCurrent: isLive },
            { label: 'Revoked and expired', to: { search: 'state=ended' }, isCurrent: !isLive },
          ]}
        />
        {isLive && (
          <SearchField
            flex="0 1 16rem"
            aria-label="Search keys"
            placeholder="Name or beginning of a key"
            value={search}
            onSearch={setSearch}
          />
        )}
      </Group>
      {isLive ? (
        <LiveKeys disabledReason={disabledReason} search={search} onClear={() => setSearch('')} />
      ) : (
        <EndedKeys />
      )}
      <KeyDialog opened={creating} onClose={close} title="Create API key">
        {onCreated => <CreateKeyForm onCreated={onCreated} onCancel={close} />}
      </KeyDialog>
      <KeyDrawer />
    </Page>
  )
}

/** Keys that were revoked or have expired. */
function EndedKeys() {
  const paging = usePaging()
  const query = useQuery(
    useTrpc().apiKeys.list.queryOptions(
      { limit: endedPageSize, cursor: paging.cursor, state: 'ended' },
      { placeholderData: keepPreviousData },
    ),
  )
  return (
    <PagedTable
      label="Ended API keys"
      query={query}
      paging={paging}
      columns={endedColumns}
      rowKey={key => key.apiKeyId}
      loadingRows={3}
      empty={
        <EmptyState
          icon="key"
          title="No revoked or expired keys"
          description="Keys that were revoked or have expired are listed here for 90 days."
        />
      }
    />
  )
}
