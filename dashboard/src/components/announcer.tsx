import { VisuallyHidden } from '@mantine/core'
import { useSyncExternalStore } from 'react'

interface Announcement {
  text: string
  /** Makes a repeated text a new announcement. */
  number: number
}

let current: Announcement = { text: '', number: 0 }
const listeners = new Set<() => void>()

/** Tells screen readers what changed, such as the result of a filter (WCAG 4.1.3). The focus stays where it is. */
export function announce(text: string): void {
  current = { text, number: current.number + 1 }
  for (const listener of listeners) listener()
}

/** The page's only live region for announcements. */
export function Announcer() {
  const { text, number } = useSyncExternalStore(subscribe, () => current)
  return (
    <VisuallyHidden role="status">
      <span key={number}>{text}</span>
    </VisuallyHidden>
  )
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
