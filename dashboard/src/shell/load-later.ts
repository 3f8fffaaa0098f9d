import { useIsFetching } from '@tanstack/react-query'
import { useEffect } from 'react'
import { menuLoaders } from './header-menu.tsx'

/** What the first page is shown without, in one round of requests after it. */
const loaders = [
  ...Object.values(menuLoaders),
  () => import('../components/tooltip-bubble.tsx'),
  () => import('../components/notification-list.tsx'),
  () => import('../sign-in/session-ended-dialog.tsx'),
  () => import('./navigation-drawer.tsx'),
  () => import('../palette/palette.tsx'),
  () => import('../palette/shortcuts-dialog.tsx'),
]

const quietMs = 500

/** Loads the rest of the shell once the first page has its data, so that it opens at once, and offline. */
export function useLoadLater(): void {
  const isFetching = useIsFetching() > 0
  useEffect(() => {
    if (isFetching) return
    // A failure shows when the part is used, which tries again.
    const timer = setTimeout(() => Promise.allSettled(loaders.map(load => load())), quietMs)
    return () => clearTimeout(timer)
  }, [isFetching])
}
