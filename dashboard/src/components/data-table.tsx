// biome-ignore-all lint/a11y/noRedundantRoles: browsers drop the implicit roles of table elements with `display: block`.
import { Skeleton } from '@mantine/core'
import { type MouseEvent as ClickEvent, memo, type ReactNode, useCallback, useMemo } from 'react'
import classes from './data-table.module.css'
import { rootFontSize, useWidth } from './use-width.ts'

export interface Column<Row> {
  header: string
  render: (row: Row) => ReactNode
  /**
   * What the column needs, in rem with its padding. The table becomes cards where it is narrower than all of them
   * together. Where it is wider, they share the rest in this ratio, loading or not. 0 for one of the cards only.
   */
  width?: number
  /** Lines of text of a typical cell, which its placeholder has too. */
  lines?: number
  /** Right-aligned, for numbers and buttons. */
  alignEnd?: boolean
  /** Visible to screen readers only, such as the header of a column of buttons. */
  headerHidden?: boolean
  /** The column's area in `cardTemplate`. Columns without one are left out of the cards. */
  cardArea?: string
}

interface Props<Row> {
  /** For screen readers. */
  label: string
  columns: Column<Row>[]
  /** Undefined while loading; placeholders then prevent a layout shift. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  loadingRows?: number
  /** The rows are those of another page or filter, until the right ones are loaded: TanStack Query's `isPlaceholderData`. */
  isPlaceholder?: boolean
  /** CSS grid template of a card. By default, all cells are shown with their headers, in as many columns as fit. */
  cardTemplate?: string
}

const defaultWidth = 6

/** A table that becomes a list of cards where its columns don't fit. Of plain elements: a page has some 200 of them. */
export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rows, rowKey, loadingRows = 5, isPlaceholder = false, cardTemplate } = props
  const needed = columns.reduce((sum, { width = defaultWidth }) => sum + width, 0)
  // It can't be wider than the window: most phones need no second rendering.
  const { element: frame, value: fits } = useWidth(
    () => window.matchMedia(`(min-width: ${needed}rem)`).matches,
    useCallback(width => width >= needed * rootFontSize(), [needed]),
  )
  const gridTemplate = fits ? undefined : cardTemplate
  const shown = useMemo(
    () => columns.filter(({ cardArea, width }) => (gridTemplate ? cardArea : width !== 0)),
    [columns, gridTemplate],
  )
  return (
    <div className={classes.frame} ref={frame}>
      <table
        className={classes.table}
        role="table"
        tabIndex={-1}
        aria-label={label}
        aria-busy={rows === undefined || isPlaceholder}
        data-layout={fits ? 'table' : gridTemplate ? 'template' : 'cards'}
        data-placeholder={isPlaceholder || undefined}
      >
        <colgroup>
          {shown.map(({ header, width = defaultWidth }) => (
            <col key={header} style={{ width: `${(100 * width) / needed}%` }} />
          ))}
        </colgroup>
        <thead role="rowgroup">
          <tr role="row">
            {shown.map(({ header, alignEnd, headerHidden }) => (
              <th key={header} role="columnheader" scope="col" data-end={alignEnd}>
                <span className={headerHidden ? classes.hidden : undefined}>{header}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {(rows ?? Array.from<undefined>({ length: loadingRows })).map((row, index) => (
            <Cells key={row ? rowKey(row) : index} row={row} columns={shown} gridTemplate={gridTemplate} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface CellsProps<Row> {
  columns: Column<Row>[]
  gridTemplate: string | undefined
  /** Undefined for a placeholder. */
  row: Row | undefined
}

/** Drawn again only if the row or the columns are others: pass the same array of columns. */
const Cells = memo(function Cells<Row>({ row, columns, gridTemplate }: CellsProps<Row>) {
  return (
    <tr role="row" style={{ gridTemplate }} onClick={openLinkOfRow} onAuxClick={openLinkOfRow}>
      {columns.map(column => (
        <td
          key={column.header}
          role="cell"
          style={{ gridArea: gridTemplate && column.cardArea }}
          data-end={column.alignEnd}
          data-label={column.headerHidden ? undefined : column.header}
        >
          {row === undefined ? loadingContent(column) : column.render(row)}
        </td>
      ))}
    </tr>
  )
}) as <Row>(props: CellsProps<Row>) => ReactNode

/** A click beside the link of the row; one of the middle button opens another tab. Text that was selected by dragging is not clicked. */
function openLinkOfRow({ target, currentTarget, nativeEvent }: ClickEvent<HTMLTableRowElement>): void {
  const isControl = (target as Element).closest('a, button, input, label, [role=menu]')
  if (isControl || window.getSelection()?.isCollapsed === false) return
  const link = currentTarget.querySelector<HTMLAnchorElement>('a[data-row-link]')
  if (nativeEvent.button === 0) link?.dispatchEvent(new MouseEvent('click', nativeEvent))
  if (nativeEvent.button === 1 && link) window.open(link.href, '_blank', 'noreferrer')
}

function loadingContent<Row>({ lines = 1, headerHidden }: Column<Row>): ReactNode {
  return Array.from({ length: lines }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines of a placeholder are never reordered.
    <span key={index} className={classes.loadingLine}>
      <Skeleton height="0.75em" width={headerHidden ? '1.5rem' : '70%'} />
    </span>
  ))
}
