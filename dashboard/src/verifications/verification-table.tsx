import type { Column } from '../components/data-table.tsx'
import type { Zone } from '../components/dates.ts'
import { formatDuration } from '../components/format-number.ts'
import { RowLink } from '../components/row-link.tsx'
import { NoValue, RowTime } from '../components/timestamp.tsx'
import type { Outputs } from '../trpc/trpc.ts'
import { type TimeOf, timeNames } from './filters.ts'
import { resultOf, VerificationResult } from './verification-result.tsx'
import classes from './verification-table.module.css'

type Verification = Outputs['verifications']['list']['items'][number]

/** Where the rows lead. */
export interface RowLinks {
  hrefOf: (verificationId: string) => string
  open: (verificationId: string) => unknown
}

/** The time that is filtered by is the one that is shown. */
export function verificationColumns(by: TimeOf, zone: Zone, links: RowLinks): Column<Verification>[] {
  return [timeColumn(by, zone), ...columns, idColumn(links)]
}

/** Two lines: the outcome and the time; why, and the ID. */
export const cardTemplate = '"outcome time time" "why why id" / minmax(0, 13fr) minmax(0, 4fr) minmax(0, 8fr)'

function timeColumn(by: TimeOf, zone: Zone): Column<Verification> {
  return {
    header: zone === 'utc' ? `${timeNames[by]} (UTC)` : timeNames[by],
    width: 8.5,
    cardArea: 'time',
    render: ({ createdAt, completedAt }) => {
      const at = by === 'created' ? createdAt : completedAt
      return at ? <RowTime at={at} zone={zone} /> : <NoValue>–</NoValue>
    },
  }
}

const columns: Column<Verification>[] = [
  { header: 'Outcome', width: 8.5, cardArea: 'outcome', render: row => <VerificationResult verification={row} /> },
  { header: 'Why', width: 10, cardArea: 'why', render: row => <Why>{resultOf(row).why}</Why> },
  { header: 'Confidence', width: 5.25, alignEnd: true, render: row => <span>{formatConfidence(row.confidence)}</span> },
  { header: 'Duration', width: 6, alignEnd: true, render: row => <span>{formatTaken(row)}</span> },
]

/** IDs begin with the time, so that those of a day are told apart by their end. */
function idColumn({ hrefOf, open }: RowLinks): Column<Verification> {
  return {
    header: 'ID',
    width: 7,
    alignEnd: true,
    cardArea: 'id',
    render: ({ verificationId: id }) => (
      <RowLink id={linkIdOf(id)} href={hrefOf(id)} onOpen={() => open(id)} className={classes.link} title={id}>
        <span className={classes.beginning}>{id.slice(0, -8)}</span>
        {id.slice(-8)}
      </RowLink>
    ),
  }
}

function Why({ children }: { children: string }) {
  return (
    <span className={classes.why} title={children}>
      {children}
    </span>
  )
}

/** From creation to completion; a dash before. */
export function formatTaken({ createdAt, completedAt }: Pick<Verification, 'createdAt' | 'completedAt'>): string {
  if (completedAt === null) return '–'
  return formatDuration((Date.parse(completedAt) - Date.parse(createdAt)) / 1_000)
}

/** Between 0 and 1; a dash before completion. */
export function formatConfidence(confidence: number | null): string {
  return confidence === null ? '–' : confidence.toFixed(2)
}

/** The element's ID, by which the focus returns to a verification's link. */
export const linkIdOf = (verificationId: string) => `verification-${verificationId}`
