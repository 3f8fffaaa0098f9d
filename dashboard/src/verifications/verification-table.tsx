import { Text } from '@mantine/core'
import { Link, useSearchParams } from 'react-router'
import type { Outputs } from '../console/console.ts'
import { CopyIconButton } from '../copy/copy-icon-button.tsx'
import { type Column, DataTable } from '../table/data-table.tsx'
import { When } from '../time/when.tsx'
import { StatusBadge } from './status-badge.tsx'
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
  { header: 'Created', render: row => <When at={row.createdAt} /> },
  { header: 'Completed', render: row => (row.completedAt ? <When at={row.completedAt} /> : <NotYet />) },
]

/** Between 0 and 1; none before completion. */
export function formatConfidence(confidence: number | null): string {
  return confidence === null ? '–' : confidence.toFixed(2)
}

/** The link keeps the filters, so that closing the panel comes back to the same list. */
function VerificationId({ id }: { id: string }) {
  const [params] = useSearchParams()
  return (
    <span className={classes.id}>
      <Link to={{ pathname: `/verifications/${id}`, search: params.toString() }} className={classes.link}>
        {id}
      </Link>
      <CopyIconButton value={id} label="verification id" />
    </span>
  )
}

function NotYet() {
  return (
    <Text span inherit c="dimmed">
      Not yet
    </Text>
  )
}
