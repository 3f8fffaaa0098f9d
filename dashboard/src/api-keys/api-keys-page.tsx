import { Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { startTransition, useState } from 'react'
import { useSearchParams } from 'react-router'
import { ActionButton, DisabledReasonNote } from '../components/action-button.tsx'
import { DataTable } from '../components/data-table.tsx'
import { EmptyState, NoResults } from '../components/empty-state.tsx'
import { Icon } from '../components/icon.tsx'
import { LinkTabs } from '../components/link-tabs.tsx'
import { Page } from '../components/page.tsx'
import { QueryState } from '../components/query-state.tsx'
import { SearchField } from '../components/search-field.tsx'
import { useDisabledReason } from '../session/session-context.ts'
import { type ApiKey, creatorName, keysMax, reasonForNoKey, useApiKeys } from './api-key.ts'
import { CreateKeyForm } from './create-key-form.tsx'
import { KeyDialog } from './key-dialog.tsx'
import { KeyDrawer } from './key-drawer.tsx'
import { keyColumns } from './key-table.tsx'

export function ApiKeysPage() {
  const [params] = useSearchParams()
  const state = params.get('state') === 'ended' ? 'ended' : 'live'
  // Not in the URL: users paste whole keys.
  const [search, setSearch] = useState('')
  const [creating, { open, close }] = useDisclosure()
  const query = useApiKeys(state)
  const { data: liveKeys } = useApiKeys('live')
  const reasonNotToCreate = useDisabledReason('keys') ?? reasonForNoKey(liveKeys)
  const shown = query.data?.filter(key => matches(key, search))
  const table = (
    <DataTable
      key={state}
      label={state === 'live' ? 'API keys' : 'Ended API keys'}
      columns={keyColumns[state]}
      rows={shown}
      rowKey={key => key.apiKeyId}
      loadingRows={3}
    />
  )
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
            { label: 'Active', to: { search: '' }, isCurrent: state === 'live' },
            { label: 'Revoked and expired', to: { search: 'state=ended' }, isCurrent: state === 'ended' },
          ]}
        />
        <SearchField
          flex="1 1 10rem"
          aria-label="Search keys"
          placeholder="Name or key"
          value={search}
          onSearch={setSearch}
        />
      </Group>
      <QueryState query={query} loading={table}>
        {keys =>
          keys.length === 0 ? (
            <EmptyState icon="key" {...noKeys[state]} />
          ) : shown?.length ? (
            table
          ) : (
            <NoResults by="search" onClear={() => setSearch('')} />
          )
        }
      </QueryState>
      {state === 'ended' && query.data?.length === keysMax && <Text c="dimmed">The newest {keysMax} are shown.</Text>}
      <KeyDialog opened={creating} onClose={close} title="Create API key">
        {onCreated => <CreateKeyForm onCreated={onCreated} onCancel={close} />}
      </KeyDialog>
      <KeyDrawer keys={shown ?? []} />
    </Page>
  )
}

/** By a part of what the list shows of it, or by the whole key, of which that has only the first characters. */
function matches(key: ApiKey, search: string): boolean {
  const text = search.trim().toLowerCase().replace('…', '')
  const shown = `${key.name}\n${creatorName(key)}\n${key.displayStart}`.toLowerCase()
  return shown.includes(text) || text.startsWith(key.displayStart.toLowerCase())
}

const noKeys = {
  live: {
    title: 'No API keys yet',
    description:
      'Your backend sends a key in the x-tenant-api-key header to start verifications, read their status and validate tokens.',
  },
  ended: {
    title: 'No revoked or expired keys',
    description: 'Keys that were revoked or have expired are listed here for 90 days.',
  },
}
