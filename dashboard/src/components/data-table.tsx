import { Skeleton } from '@mantine/core'
import type { CSSProperties, ReactNode } from 'react'
import classes from './data-table.module.css'

export interface Column<Row> {
  header: string
  render: (row: Row) => ReactNode
  /** Right-aligned, for numbers and buttons. */
  alignEnd?: boolean
  /** Visible to screen readers only, such as the header of a column of buttons. */
  headerHidden?: boolean
}

interface Props<Row> {
  /** For screen readers. */
  label: string
  columns: Column<Row>[]
  /** Undefined while loading; skeleton rows of the same height then prevent a layout shift. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  loadingRows?: number
  /** Height of a typical row, in pixels. */
  rowHeight?: number
}

/**
 * A table that becomes a list of cards in a narrow container. The roles are explicit because browsers drop
 * the implicit ones of table elements with `display: block`.
 */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  loadingRows = 5,
  rowHeight = 44,
}: Props<Row>) {
  return (
    <div className={classes.frame}>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: see above. */}
      <table className={classes.table} role="table" aria-label={label} aria-busy={rows === undefined}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(column => (
              <th key={column.header} role="columnheader" scope="col" data-end={column.alignEnd}>
                <span className={column.headerHidden ? classes.hidden : undefined}>{column.header}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows?.map(row => (
            <tr key={rowKey(row)} role="row">
              {columns.map(column => (
                <td
                  key={column.header}
                  role="cell"
                  data-end={column.alignEnd}
                  data-label={column.headerHidden ? undefined : column.header}
                >
                  {column.render(row)}
                </td>
              ))}
            </tr>
          )) ?? <LoadingRows columns={columns} count={loadingRows} height={rowHeight} />}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above. */}
    </div>
  )
}

function LoadingRows<Row>({
  columns,
  count,
  height,
}: {
  columns: Column<Row>[]
  count: number
  height: number
}) {
  return Array.from({ length: count }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows are placeholders and never reordered.
    <tr key={row} className={classes.loading} style={{ '--row-height': `${height}px` } as CSSProperties}>
      {columns.map(column => (
        <td key={column.header} data-label={column.headerHidden ? undefined : column.header}>
          <Skeleton height={14} my={4} width={column.headerHidden ? 24 : '70%'} />
        </td>
      ))}
    </tr>
  ))
}
