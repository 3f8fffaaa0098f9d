import { useClickOutside, useMergedRef } from '@mantine/hooks'
import { type MouseEvent, type PointerEvent, type ReactNode, type Ref, useState } from 'react'
import classes from './chart.module.css'

interface Props {
  plot?: Ref<HTMLDivElement>
  /** What the tooltip of a column says, by its `data-day`. */
  describe: (day: string) => ReactNode
  children: ReactNode
}

/**
 * A plot, hidden from screen readers. A column that is pointed at or tapped has its numbers beside it; a second tap is a click.
 */
export function Chart({ plot = null, describe, children }: Props) {
  const [column, setColumn] = useState<HTMLElement | null>(null)
  const ref = useMergedRef(
    useClickOutside<HTMLDivElement>(() => setColumn(null)),
    plot,
  )
  // A finger leaves after each tap.
  const point = (event: PointerEvent) => event.pointerType !== 'touch' && setColumn(columnOf(event))
  const click = (event: MouseEvent) => {
    if ((event.nativeEvent as globalThis.PointerEvent).pointerType !== 'touch' || columnOf(event) === column) return
    event.preventDefault()
    event.stopPropagation()
    setColumn(columnOf(event))
  }
  const handlers = { onPointerOver: point, onPointerLeave: point, onClickCapture: click }
  const day = column?.dataset.day
  const label = day && describe(day)
  return (
    <div className={classes.chart} aria-hidden ref={ref} {...handlers}>
      {children}
      {column && label && (
        <div className={classes.numbers} style={besideColumn(column)}>
          {label}
        </div>
      )}
    </div>
  )
}

/** Where there is more room. */
function besideColumn({ offsetLeft, offsetWidth, offsetParent }: HTMLElement) {
  const { clientWidth } = offsetParent!
  return offsetLeft > clientWidth / 2 ? { right: clientWidth - offsetLeft } : { left: offsetLeft + offsetWidth }
}

/** Null beside the columns, as for a pointer that leaves the plot. */
function columnOf({ target, type }: PointerEvent | MouseEvent): HTMLElement | null {
  return type === 'pointerleave' ? null : (target as Element).closest<HTMLElement>('[data-day]')
}
