import { options } from 'preact'
import type { ReactNode } from 'react'

/*
 * What `react` and `react-dom` are in the browser (see vite.config.ts): Preact, which takes 50 kB less, and the two
 * exports of React that it lacks but Mantine and React Router import.
 */
// @ts-expect-error Its types are in the form of CommonJS, whose names TypeScript doesn't export again.
export * from 'preact/compat'
export { default } from 'preact/compat'

/*
 * Runs effects before the browser paints, as React does after a click or a key. Preact's run later than the timeout with
 * which Mantine's dialogs take the focus: they would store their own field as the element to return it to.
 */
options.requestAnimationFrame = queueMicrotask

interface ActivityProps {
  mode?: 'visible' | 'hidden'
  children: ReactNode
}

/** Hides its children but keeps them and their state, as Mantine's tabs and accordions need it. */
export function Activity({ mode, children }: ActivityProps) {
  return <div style={{ display: mode === 'hidden' ? 'none' : 'contents' }}>{children}</div>
}

/** React Router changes such a value only if it is told to use React's transitions. */
export function useOptimistic<Value>(value: Value): [Value, () => void] {
  return [value, () => {}]
}
