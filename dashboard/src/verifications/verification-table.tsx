import { Button, Text } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { Link, useSearchParams } from 'react-router'
import { CopyIconButton } from '../components/copyable-text.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Timestamp } from '../components/timestamp.tsx'
import { useTenantPath } from '../session/tenant-path.ts'
import type { Outputs } from '../trpc/trpc.ts'
import { StatusBadge } from './status.tsx'
import classes from './verification-table.module.css'

type Verification = Outputs['verifications']['list']['items'][number]

interface Props {
  label: string
  rows: readonly Verification[] | undefined
  loadingRows?: number
}

export function VerificationTable({ label, rows, loadingRows = 10 }: Props) {
  return (
    <DataTable
      label={label}
      columns={columns}
      rows={rows}
      rowKey={row => row.verificationId}
      loadingRows={loadingRows}
    />
  )
}

const columns: Column<Verification>[] = [
  { header: 'Verification', render: row => <VerificationId id={row.verificationId} /> },
  { header: 'Status', render: row => <StatusBadge status={row.status} /> },
  { header: 'Confidence', alignEnd: true, render: row => formatConfidence(row.confidence) },
  { header: 'Created', render: row => <Timestamp at={row.createdAt} /> },
  {
    header: 'Completed',
    render: row => (row.completedAt ? <Timestamp at={row.completedAt} /> : <NotCompleted />),
  },
]

/** Between 0 and 1; a dash before completion. */
export function formatConfidence(confidence: number | null): string {
  return confidence === null ? '–' : confidence.toFixed(2)
}

/** The link keeps the filters, so that closing the panel returns to the same list. */
function VerificationId({ id }: { id: string }) {
  const [params] = useSearchParams()
  const toPath = useTenantPath()
  return (
    <span className={classes.id}>
      <Link
        to={{ pathname: toPath(`/verifications/${id}`), search: params.toString() }}
        className={classes.link}
      >
        {id}
      </Link>
      <CopyIconButton value={id} label="verification ID" />
    </span>
  )
}

function NotCompleted() {
  return (
    <Text span inherit c="dimmed">
      Not yet
    </Text>
  )
}

/** Instead of the table, for a tenant without verifications. */
export function NoVerifications() {
  const toPath = useTenantPath()
  return (
    <EmptyState
      Icon={IconListCheck}
      title="No verifications yet"
      description="Verifications that your backend starts with POST /verify/start will appear here."
    >
      <Button component={Link} to={toPath('/first-steps')}>
        Start your first verification
      </Button>
    </EmptyState>
  )
}
