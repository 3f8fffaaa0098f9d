import { Group, Skeleton, Stack, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { startTransition, useState } from 'react'
import { ActionButton } from '../components/action-button.tsx'
import { Badge } from '../components/badge.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { CopyableText } from '../components/copyable-text.tsx'
import { DescriptionList } from '../components/description-list.tsx'
import { useConfirmedMutation } from '../components/mutations.ts'
import { useParameterPanel } from '../components/parameter-panel.tsx'
import { QueryState } from '../components/query-state.tsx'
import { serviceTime } from '../components/service-clock.ts'
import { Neighbours, SidePanel } from '../components/side-panel.tsx'
import { Timestamp } from '../components/timestamp.tsx'
import { TenantLink } from '../session/links.tsx'
import { useDisabledReason } from '../session/session-context.ts'
import { useTrpc } from '../trpc/trpc.ts'
import { type ApiKey, creatorName } from './api-key.ts'
import { describeAttention } from './attention.ts'
import { KeyDialog } from './key-dialog.tsx'
import { ReplaceKeyForm } from './replace-key-form.tsx'

/** The key that the page's URL names: its details, and what can be done with it. */
export function KeyDrawer({ keys }: { keys: readonly ApiKey[] }) {
  const { id: apiKeyId, close, show } = useParameterPanel('key')
  const { apiKeys } = useTrpc()
  const queryClient = useQueryClient()
  const [replaced, setReplaced] = useState<ApiKey>()
  const endReplacing = () => setReplaced(undefined)
  const revoke = useConfirmedMutation({
    mutation: apiKeys.revoke.mutationOptions(),
    variables: ({ apiKeyId }: ApiKey) => ({ apiKeyId }),
    successMessage: ({ name }) => `API key "${name}" revoked.`,
    onSuccess: async () => {
      await queryClient.invalidateQueries(apiKeys.pathFilter())
      document.querySelector<HTMLElement>('.mantine-Drawer-content')?.focus()
    },
  })
  return (
    <>
      <SidePanel opened={apiKeyId !== undefined} onClose={close} title="API key">
        {apiKeyId && (
          <KeyDetails
            apiKeyId={apiKeyId}
            keys={keys}
            onShow={show}
            onReplace={key => startTransition(() => setReplaced(key))}
            onRevoke={revoke.open}
          />
        )}
      </SidePanel>
      {/* Not in the panel: a new key stays shown when that is closed by Back. */}
      <KeyDialog opened={replaced !== undefined} onClose={endReplacing} title={`Replace "${replaced?.name}"?`}>
        {onCreated => replaced && <ReplaceKeyForm apiKey={replaced} onCreated={onCreated} onCancel={endReplacing} />}
      </KeyDialog>
      <ConfirmDialog title={`Revoke "${revoke.target?.name}"?`} confirmLabel="Revoke key" {...revoke.dialog}>
        Requests with the key {revoke.target?.displayStart}… will fail with 401 immediately. This can't be undone. To
        change keys without a gap, replace the key instead.
      </ConfirmDialog>
    </>
  )
}

interface DetailProps {
  apiKeyId: string
  keys: readonly ApiKey[]
  onShow: (apiKeyId: string) => unknown
  onReplace: (key: ApiKey) => void
  onRevoke: (key: ApiKey) => void
}

function KeyDetails({ apiKeyId, keys, onShow, ...actions }: DetailProps) {
  const { apiKeys } = useTrpc()
  const listed = keys.find(key => key.apiKeyId === apiKeyId)
  const key = useQuery(apiKeys.get.queryOptions({ apiKeyId }, listed && { placeholderData: listed }))
  return (
    <Stack>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Title order={3} style={{ overflowWrap: 'anywhere' }}>
          {key.data?.name}
        </Title>
        <Neighbours ids={keys.map(each => each.apiKeyId)} shown={apiKeyId} onShow={onShow} />
      </Group>
      <QueryState query={key} loading={<Skeleton height={400} />}>
        {apiKey => <Facts apiKey={apiKey} {...actions} />}
      </QueryState>
    </Stack>
  )
}

function Facts({ apiKey, onReplace, onRevoke }: Pick<DetailProps, 'onReplace' | 'onRevoke'> & { apiKey: ApiKey }) {
  const { apiKeyId, displayStart, scopes, state, createdAt } = apiKey
  const { lastUsedAt, expiresAt, revokedAt } = apiKey
  const button = { variant: 'default', size: 'xs', disabledReason: useDisabledReason('keys') }
  return (
    <>
      {state === 'active' && (
        <Group gap="xs">
          <ActionButton {...button} onClick={() => onReplace(apiKey)}>
            Replace …
          </ActionButton>
          <ActionButton {...button} c="var(--denied-text)" onClick={() => onRevoke(apiKey)}>
            Revoke …
          </ActionButton>
        </Group>
      )}
      <DescriptionList
        items={[
          { name: 'State', value: <KeyState apiKey={apiKey} /> },
          { name: 'Begins with', value: <CopyableText value={displayStart} label="beginning of the key" /> },
          { name: 'ID', value: <CopyableText value={apiKeyId} label="API key ID" /> },
          { name: 'Scopes', value: scopes.join(', ') },
          { name: 'Created', value: <Timestamp at={createdAt} seconds /> },
          { name: 'Created by', value: creatorName(apiKey) ?? 'Not recorded' },
          { name: 'Last used', value: lastUsedAt ? <Timestamp at={lastUsedAt} /> : 'Never' },
          { name: 'Expires', value: expiresAt ? <Timestamp at={expiresAt} seconds /> : 'Never' },
          ...(revokedAt ? [{ name: 'Revoked', value: <Timestamp at={revokedAt} seconds /> }] : []),
          {
            name: 'Audit log',
            value: <TenantLink to={`/audit-log?search=${apiKeyId}`}>Changes to this key</TenantLink>,
          },
        ]}
      />
    </>
  )
}

/** Of a live key, also what to know about it. */
export function KeyState({ apiKey }: { apiKey: ApiKey }) {
  if (apiKey.state === 'revoked') return <Badge tone="denied">Revoked</Badge>
  if (apiKey.state === 'expired') return <Badge tone="neutral">Expired</Badge>
  const attention = describeAttention(apiKey, serviceTime())
  return attention ? <Badge tone="attention">{attention}</Badge> : <Badge tone="approved">Active</Badge>
}
