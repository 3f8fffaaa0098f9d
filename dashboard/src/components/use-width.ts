import { useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/**
 * What follows from the width of an element, in pixels. It is measured before each paint, so that nothing shifts. A hidden
 * element has no width, and keeps the value. A container query cannot do this for tables: its condition is fixed in the
 * style sheet, and each of them needs its own.
 */
export function useWidth<Value>(initial: () => Value, read: (width: number) => Value) {
  const element = useRef<HTMLDivElement>(null)
  const [value, setValue] = useState(initial)
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return
    const measure = () => current.clientWidth > 0 && setValue(read(current.clientWidth))
    measure()
    const observer = new ResizeObserver(() => flushSync(measure))
    observer.observe(current)
    return () => observer.disconnect()
  }, [read])
  return { element, value }
}

/** Of 1 rem, in pixels: users can set another font size. */
export function rootFontSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}
