import { VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, useSyncExternalStore } from 'react'

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

/**
 * Announces a list's result whenever its key changes, which names filters and page; not the first one, which comes with
 * the page. The text is undefined while the result is loaded.
 */
export function useAnnouncedResult(key: string, text: string | undefined): void {
  const announced = useRef<string>(undefined)
  useEffect(() => {
    if (text === undefined || announced.current === key) return
    if (announced.current !== undefined) announce(text)
    announced.current = key
  }, [key, text])
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
