import { Code, Text } from '@mantine/core'
import { useState } from 'react'
import { Badge, type Tone } from '../badge/badge.tsx'
import type { Outputs } from '../console/console.ts'
import { GuardedButton } from '../feedback/guarded-button.tsx'
import { type Column, DataTable } from '../table/data-table.tsx'
import { When } from '../time/when.tsx'
import classes from './key-table.module.css'
import { RevokeKeyDialog } from './revoke-key-dialog.tsx'

export type ApiKey = Outputs['apiKeys']['list']['items'][number]

interface Props {
  rows: readonly ApiKey[] | undefined
  /** Why keys can't be revoked by this user. */
  obstacle: string | undefined
}

export function KeyTable({ rows, obstacle }: Props) {
  const [revoking, setRevoking] = useState<ApiKey>()
  return (
    <>
      <DataTable
        label="API keys"
        columns={[...columns, actions(obstacle, setRevoking)]}
        rows={rows}
        rowKey={key => key.apiKeyId}
        loadingRows={3}
        rowHeight={75}
      />
      <RevokeKeyDialog apiKey={revoking} onClose={() => setRevoking(undefined)} />
    </>
  )
}

const columns: Column<ApiKey>[] = [
  { header: 'Key', render: key => <NameAndStart apiKey={key} /> },
  { header: 'Scopes', render: key => <Scopes scopes={key.scopes} /> },
  { header: 'Created', render: key => <When at={key.createdAt} /> },
  { header: 'Last used', render: key => <Maybe at={key.lastUsedAt} otherwise="Never" /> },
  { header: 'Expires', render: key => <Maybe at={key.expiresAt} otherwise="Never" /> },
  { header: 'State', render: key => <Badge tone={states[key.state].tone}>{states[key.state].label}</Badge> },
]

function actions(obstacle: string | undefined, onRevoke: (key: ApiKey) => void): Column<ApiKey> {
  return {
    header: 'Actions',
    headerHidden: true,
    alignEnd: true,
    render: key =>
      key.state === 'revoked' ? null : (
        <GuardedButton
          obstacle={obstacle}
          variant="subtle"
          color="red"
          c={obstacle ? undefined : 'var(--denied-text)'}
          size="compact-sm"
          aria-label={`Revoke ${key.name}`}
          onClick={() => onRevoke(key)}
        >
          Revoke
        </GuardedButton>
      ),
  }
}

const states: Record<ApiKey['state'], { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'approved' },
  expired: { label: 'Expired', tone: 'neutral' },
  revoked: { label: 'Revoked', tone: 'denied' },
}

/** What its owner calls it, and how it begins. */
function NameAndStart({ apiKey: { name, displayStart } }: { apiKey: ApiKey }) {
  return (
    <span>
      <Text fw={500} inherit>
        {name}
      </Text>
      <Code className={classes.start}>{displayStart}…</Code>
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

function Maybe({ at, otherwise }: { at: string | null; otherwise: string }) {
  if (at) return <When at={at} />
  return (
    <Text span inherit c="dimmed">
      {otherwise}
    </Text>
  )
}
