import { Box, Flex, Text } from '@mantine/core'
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { type Column, DataTable } from '../components/data-table.tsx'
import { toUtcDay } from '../components/dates.ts'
import { formatNumber } from '../components/format-number.ts'
import { serviceTime } from '../components/service-clock.ts'
import { useWidth } from '../components/use-width.ts'
import type { Filters } from '../verifications/filters.ts'
import { BarChart } from './bar-chart.tsx'
import { type Bin, chooseUnit, type DayCounts, describeBars, describeBin, toBins } from './bins.ts'
import classes from './overview.module.css'
import { ListLink, type Series } from './series.tsx'

interface Props {
  /** Of the table. */
  label: string
  days: readonly DayCounts[]
  series: readonly Series[]
  /** Of all that is counted; by default every completed verification. */
  filter?: Partial<Filters> | undefined
  hasRate?: boolean
  /** Of the table, after those of the series. */
  columns?: Column<Bin>[] | undefined
  isBusy: boolean
  /** The legend. */
  children: ReactNode
}

/**
 * Counts by day, week or month, whichever the range and the width have room for: a chart, its legend and its table. The legend
 * has all of a single day.
 */
export function TimeChart({ label, days, series, filter, hasRate = false, columns, isBusy, children }: Props) {
  const { element, value: width } = useWidth(notDrawn, inPixels)
  // What is drawn anew can be interrupted by what the user does next.
  const shown = useDeferredValue(days)
  const today = toUtcDay(new Date(serviceTime()))
  const unit = chooseUnit(shown.length, width)
  const bins = useMemo(() => toBins(shown, unit, today), [shown, unit, today])
  const isDay = days.length === 1
  return (
    <Flex wrap="wrap" gap="0.75rem 2rem" aria-busy={isBusy} className={classes.data}>
      <Box flex="1 1 24rem" miw={0} display={isDay ? 'none' : undefined}>
        <BarChart bins={bins} series={series} filter={filter} hasRate={hasRate} width={width} plot={element} />
        <Text size="xs" c="dimmed">
          {width > 0 && describeBars(bins)}
        </Text>
      </Box>
      <Flex direction={isDay ? 'row' : 'column'} wrap="wrap" flex={isDay ? 1 : '0 1 15rem'} miw={0} gap="0.625rem 5rem">
        {children}
      </Flex>
      <Box flex="1 1 100%" miw={0} display={isDay ? 'none' : undefined}>
        <BinTable label={`${label} by ${unit}`} bins={bins} series={series} filter={filter} columns={columns} />
      </Box>
    </Flex>
  )
}

type TableProps = Pick<Props, 'label' | 'series' | 'filter' | 'columns'> & { bins: readonly Bin[] }

/** The exact numbers, the newest first. Its rows are drawn when it is opened. */
function BinTable({ label, bins, series, filter, columns = [] }: TableProps) {
  const [isOpen, setOpen] = useState(false)
  const name = { header: 'Time (UTC)', width: 10, render: (bin: Bin) => renderName(bin, filter) }
  const all = [name, ...series.map(toColumn), ...columns]
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <Text component="summary" mb="xs" w="fit-content" c="var(--accent-text)" style={{ cursor: 'pointer' }}>
        Show as table
      </Text>
      {isOpen && <DataTable label={label} columns={all} rows={bins.toReversed()} rowKey={({ from }) => from} />}
    </details>
  )
}

function renderName(bin: Bin, filter: Props['filter']) {
  return <ListLink filter={{ ...filter, from: bin.from, to: bin.to }}>{describeBin(bin)}</ListLink>
}

/** Of a count, which links to its verifications. As wide as the longest word of its header, and 1 rem of padding. */
export function toColumn({ count, label, filter }: Omit<Series, 'color'>): Column<Bin> {
  const longest = Math.max(7, ...label.split(' ').map(word => word.length))
  return {
    header: label,
    width: 1 + 0.42 * longest,
    alignEnd: true,
    render: ({ counts, from, to }) => {
      const number = formatNumber(counts[count] ?? 0)
      return counts[count] && filter ? <ListLink filter={{ ...filter, from, to }}>{number}</ListLink> : number
    },
  }
}

const notDrawn = () => 0
const inPixels = (width: number) => width
