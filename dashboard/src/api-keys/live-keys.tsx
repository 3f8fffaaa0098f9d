import { Button, NativeSelect, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { startTransition, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { EmptyState, NoResults } from '../components/empty-state.tsx'
import { DialogForm } from '../components/form.tsx'
import { useConfirmedMutation, useFormMutation } from '../components/mutations.ts'
import { QueryState } from '../components/query-state.tsx'
import { useTrpc, useTrpcClient } from '../trpc/trpc.ts'
import { type ApiKey, creatorName, liveKeysMax, reasonForNoKey } from './api-key.ts'
import { KeyDialog } from './key-dialog.tsx'
import { keyLinkId } from './key-drawer.tsx'
import { LiveKeyTable } from './key-table.tsx'

/** All of them, the last used first; at most 100. Pages are cut by size, so that long names can make it two requests. */
export function useLiveKeys() {
  const { apiKeys } = useTrpc()
  const client = useTrpcClient()
  return useQuery({
    queryKey: [...apiKeys.list.queryKey({ state: 'live' }), 'every page'],
    queryFn: async ({ signal }) => {
      const keys: ApiKey[] = []
      let cursor: string | null | undefined
      do {
        const page = await client.apiKeys.list.query({ state: 'live', limit: 100, cursor }, { signal })
        keys.push(...page.items)
        cursor = page.nextCursor
      } while (cursor)
      return keys.toSorted((one, other) => lastUse(other).localeCompare(lastUse(one)))
    },
  })
}

interface LiveKeysProps {
  disabledReason: string | undefined
  search: string
  onClear: () => void
}

/** How many are drawn before all of them are asked for. */
const firstShown = 25

export function LiveKeys({ disabledReason, search, onClear }: LiveKeysProps) {
  const { apiKeys } = useTrpc()
  const queryClient = useQueryClient()
  const list = useRef<HTMLElement>(null)
  const [isWhole, setWhole] = useState(false)
  const [replaced, setReplaced] = useState<ApiKey>()
  const close = () => setReplaced(undefined)
  const query = useLiveKeys()
  const revoke = useConfirmedMutation({
    mutation: apiKeys.revoke.mutationOptions(),
    variables: ({ apiKeyId }: ApiKey) => ({ apiKeyId }),
    successMessage: ({ name }) => `API key "${name}" revoked.`,
    onSuccess: async () => {
      await queryClient.invalidateQueries(apiKeys.pathFilter())
      list.current?.focus()
    },
  })
  const found = query.data?.filter(key => matches(key, search))
  const shown = isWhole ? found : found?.slice(0, firstShown)
  const showAll = () => {
    flushSync(() => setWhole(true))
    document.getElementById(keyLinkId(found![firstShown]!.apiKeyId))?.focus()
  }
  const table = (
    <LiveKeyTable
      rows={shown}
      disabledReason={disabledReason}
      onReplace={key => startTransition(() => setReplaced(key))}
      onRevoke={revoke.open}
    />
  )
  return (
    <section ref={list} tabIndex={-1} aria-label="API keys">
      <QueryState query={query} loading={table}>
        {keys => (keys.length === 0 ? <NoKeys /> : shown?.length ? table : <NoResults by="search" onClear={onClear} />)}
      </QueryState>
      {found && shown && found.length > shown.length && (
        <Button variant="default" mt="md" onClick={showAll}>
          Show all {found.length} keys
        </Button>
      )}
      <KeyDialog opened={replaced !== undefined} onClose={close} title={`Replace "${replaced?.name}"?`}>
        {onCreated =>
          replaced && (
            <ReplaceKeyForm
              apiKey={replaced}
              isFull={reasonForNoKey(query.data) !== undefined}
              onCreated={onCreated}
              onCancel={close}
            />
          )
        }
      </KeyDialog>
      <ConfirmDialog title={`Revoke "${revoke.target?.name}"?`} confirmLabel="Revoke key" {...revoke.dialog}>
        Requests with the key {revoke.target?.displayStart}… will fail with 401 immediately. This can't be undone. To
        change keys without a gap, replace the key instead.
      </ConfirmDialog>
    </section>
  )
}

/** When a key was last used or, before its first use, created. */
const lastUse = ({ lastUsedAt, createdAt }: ApiKey) => lastUsedAt ?? createdAt

/** By a part of its name or its owner's, or by its beginning, of which a whole key has only the first characters here. */
function matches(key: ApiKey, search: string): boolean {
  const text = search.trim().toLowerCase()
  const start = key.displayStart.toLowerCase()
  const names = `${key.name}\n${creatorName(key)}`.toLowerCase()
  return names.includes(text) || start.startsWith(text) || text.startsWith(start)
}

function NoKeys() {
  return (
    <EmptyState
      icon="key"
      title="No API keys yet"
      description="Your backend sends a key in the x-tenant-api-key header to start verifications, read their status and validate tokens."
    />
  )
}

interface ReplaceKeyProps {
  apiKey: ApiKey
  /** Whether the tenant has as many keys as it can have, so that the old one has to end for the new one. */
  isFull: boolean
  onCreated: (apiKey: string) => void
  onCancel: () => void
}

const overlaps = [
  { value: '0', label: 'Not any more, because it has leaked' },
  { value: '1', label: 'For 1 hour' },
  { value: '24', label: 'For 24 hours' },
  { value: '168', label: 'For 7 days' },
]

/** Creates a key of the same name and scopes, and asks for how long the old one goes on working. */
function ReplaceKeyForm({ apiKey, isFull, onCreated, onCancel }: ReplaceKeyProps) {
  const [hours, setHours] = useState(isFull ? '0' : '24')
  const { apiKeys } = useTrpc()
  const queryClient = useQueryClient()
  const replace = useFormMutation({
    mutation: apiKeys.replace.mutationOptions({ gcTime: 0 }),
    fields: ['overlapHours'],
    successMessage: ({ name }) => `API key "${name}" replaced.`,
    onSuccess: created => {
      onCreated(created.apiKey)
      return queryClient.invalidateQueries(apiKeys.pathFilter())
    },
  })
  return (
    <DialogForm
      onSubmit={() => replace.mutate({ apiKeyId: apiKey.apiKeyId, overlapHours: Number(hours) })}
      onCancel={onCancel}
      submitLabel="Replace key"
      mutation={replace}
    >
      <Text>
        Creates a key with the same name and scopes, which is shown once. Deploy it before the old key{' '}
        {apiKey.displayStart}… stops working.
      </Text>
      <NativeSelect
        label="The old key works"
        description={
          isFull &&
          `This tenant has ${liveKeysMax} active keys, the maximum. To have both for a while, revoke another one first.`
        }
        data={overlaps}
        disabled={isFull}
        data-autofocus
        value={hours}
        error={replace.fieldErrors.overlapHours}
        onChange={event => setHours(event.currentTarget.value)}
      />
    </DialogForm>
  )
}
