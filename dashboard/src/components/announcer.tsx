import { VisuallyHidden } from '@mantine/core'
import { useEffect, useRef } from 'react'

const regionId = 'announcements'

/** Tells screen readers what changed, such as the result of a filter (WCAG 4.1.3). The focus stays where it is. */
export function announce(text: string): void {
  // A new element makes a repeated text a new announcement.
  const announcement = document.createElement('span')
  announcement.textContent = text
  document.getElementById(regionId)?.replaceChildren(announcement)
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

/** The page's only live region for announcements. React draws it empty. */
export function Announcer() {
  return <VisuallyHidden role="status" id={regionId} />
}
