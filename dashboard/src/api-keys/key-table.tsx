import { Code, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { ActionButton } from '../components/action-button.tsx'
import { Badge, type Tone } from '../components/badge.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { Timestamp } from '../components/timestamp.tsx'
import { useConfirmedMutation } from '../trpc/mutations.ts'
import { useTrpc } from '../trpc/trpc.ts'
import type { ApiKey } from './api-key.ts'
import classes from './key-table.module.css'

interface Props {
  rows: readonly ApiKey[] | undefined
  /** Why the user can't revoke keys. */
  disabledReason: string | undefined
}

export function KeyTable({ rows, disabledReason }: Props) {
  const trpc = useTrpc()
  const queryClient = useQueryClient()
  const revoke = useConfirmedMutation({
    mutation: trpc.apiKeys.revoke.mutationOptions(),
    variables: ({ apiKeyId }: ApiKey) => ({ apiKeyId }),
    successMessage: ({ name }) => `API key "${name}" revoked.`,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.apiKeys.pathKey() }),
  })
  return (
    <>
      <DataTable
        label="API keys"
        columns={[...columns, actions(disabledReason, revoke.open)]}
        rows={rows}
        rowKey={key => key.apiKeyId}
        loadingRows={3}
      />
      <ConfirmDialog title={`Revoke "${revoke.target?.name}"?`} confirmLabel="Revoke key" {...revoke.dialog}>
        Requests with the key {revoke.target?.displayStart}… will fail with 401 immediately. This can't be
        undone.
      </ConfirmDialog>
    </>
  )
}

const columns: Column<ApiKey>[] = [
  { header: 'Key', render: key => <NameAndPrefix apiKey={key} /> },
  { header: 'Scopes', render: key => <Scopes scopes={key.scopes} /> },
  { header: 'Created', render: key => <Timestamp at={key.createdAt} /> },
  { header: 'Last used', render: key => <TimestampOrNever at={key.lastUsedAt} /> },
  { header: 'Expires', render: key => <TimestampOrNever at={key.expiresAt} /> },
  { header: 'State', render: key => <Badge tone={states[key.state].tone}>{states[key.state].label}</Badge> },
]

function actions(disabledReason: string | undefined, onRevoke: (key: ApiKey) => void): Column<ApiKey> {
  return {
    header: 'Actions',
    headerHidden: true,
    alignEnd: true,
    render: key =>
      key.state === 'revoked' ? null : (
        <ActionButton
          disabledReason={disabledReason}
          variant="subtle"
          color="red"
          c={disabledReason ? undefined : 'var(--denied-text)'}
          size="compact-sm"
          aria-label={`Revoke ${key.name}`}
          onClick={() => onRevoke(key)}
        >
          Revoke
        </ActionButton>
      ),
  }
}

const states: Record<ApiKey['state'], { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'approved' },
  expired: { label: 'Expired', tone: 'neutral' },
  revoked: { label: 'Revoked', tone: 'denied' },
}

function NameAndPrefix({ apiKey: { name, displayStart } }: { apiKey: ApiKey }) {
  return (
    <span>
      <Text fw={500} inherit>
        {name}
      </Text>
      <Code className={classes.prefix}>{displayStart}…</Code>
    </span>
  )
}

function Scopes({ scopes }: { scopes: readonly string[] }) {
  return (
    <span>
      {scopes.map(scope => (
        <div key={scope} className={classes.scope}>
          {scope}
        </div>
      ))}
    </span>
  )
}

function TimestampOrNever({ at }: { at: string | null }) {
  if (at) return <Timestamp at={at} />
  return (
    <Text span inherit c="dimmed">
      Never
    </Text>
  )
}
