import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { CopyIconButton } from '../components/copyable-text.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { NoTime, RelativeTime } from '../components/timestamp.tsx'
import { useTenantPath } from '../session/tenant-path.ts'
import type { Outputs } from '../trpc/trpc.ts'
import { VerificationResult } from './verification-result.tsx'
import classes from './verification-table.module.css'

type Verification = Outputs['verifications']['list']['items'][number]

interface Props {
  label: string
  rows: readonly Verification[] | undefined
  loadingRows?: number
  isPlaceholder?: boolean
  /** The query of the list's URL, where the table is the list: opening a verification keeps it behind the panel. */
  listQuery?: string
}

export function VerificationTable({ label, rows, loadingRows = 10, isPlaceholder, listQuery }: Props) {
  return (
    <DataTable
      label={label}
      columns={[idColumn(listQuery), ...columns]}
      rows={rows}
      rowKey={row => row.verificationId}
      loadingRows={loadingRows}
      isPlaceholder={isPlaceholder ?? false}
      cardTemplate={cardTemplate}
    />
  )
}

/** Two lines: the result with its meaning; the time above the ID. */
const cardTemplate = '"result time" "result id" / minmax(0, 16fr) minmax(0, 9fr)'

function idColumn(listQuery: string | undefined): Column<Verification> {
  return {
    header: 'Verification',
    width: 7.5,
    grows: true,
    cardArea: 'id',
    render: row => <VerificationLink id={row.verificationId} listQuery={listQuery} />,
  }
}

const columns: Column<Verification>[] = [
  {
    header: 'Result',
    width: 12.5,
    lines: 2,
    cardArea: 'result',
    render: row => <VerificationResult verification={row} />,
  },
  { header: '18 or over', width: 5, render: formatOver18 },
  { header: 'Confidence', width: 5.25, alignEnd: true, render: row => formatConfidence(row.confidence) },
  { header: 'Created', width: 6, cardArea: 'time', render: row => <RelativeTime at={row.createdAt} /> },
  {
    header: 'Completed',
    width: 6.5,
    render: row => (row.completedAt ? <RelativeTime at={row.completedAt} /> : <NoTime>Not yet</NoTime>),
  },
]

/** Between 0 and 1; a dash before completion. */
export function formatConfidence(confidence: number | null): string {
  return confidence === null ? '–' : confidence.toFixed(2)
}

/** A dash before completion. */
export function formatOver18({
  over18,
  completedAt,
  tokenRevokedAt,
}: Pick<Verification, 'over18' | 'completedAt' | 'tokenRevokedAt'>): string {
  if (completedAt === null) return '–'
  if (tokenRevokedAt) return 'Revoked'
  if (over18 === null) return 'Unknown'
  return over18 ? 'Yes' : 'No'
}

/** The element's ID, by which the focus returns to a verification's link. */
export function linkIdOf(verificationId: string): string {
  return `verification-${verificationId}`
}

/** IDs begin with the time and differ at the end, which therefore stays visible where there is no room for all of it. */
function VerificationLink({ id, listQuery }: { id: string; listQuery: string | undefined }) {
  const toPath = useTenantPath()
  const opensBesideList = listQuery !== undefined
  return (
    <span className={classes.id}>
      <Link
        id={linkIdOf(id)}
        to={{ pathname: toPath(`/verifications/${id}`), search: listQuery ?? '' }}
        preventScrollReset={opensBesideList}
        state={{ opensBesideList }}
        className={classes.link}
        aria-label={id}
      >
        <span className={classes.start}>{id.slice(0, -8)}</span>
        <span>{id.slice(-8)}</span>
      </Link>
      <span className={classes.copy}>
        <CopyIconButton value={id} label={`ID ${id}`} />
      </span>
    </span>
  )
}

/** Instead of the table, for a tenant without verifications. */
export function NoVerifications() {
  const toPath = useTenantPath()
  return (
    <EmptyState
      icon="list-check"
      title="No verifications yet"
      description="Verifications that your backend starts with POST /verify/start will appear here."
    >
      <Button component={Link} to={toPath('/first-steps')}>
        Start your first verification
      </Button>
    </EmptyState>
  )
}
