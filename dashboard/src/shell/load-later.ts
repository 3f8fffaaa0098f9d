import { useIsFetching } from '@tanstack/react-query'
import { useEffect } from 'react'
import { loadTooltipBubble } from '../components/lazy-tooltip-bubble.tsx'
import { loadMissingStyles } from '../theme/missing-styles.ts'
import { menuLoaders } from './header-menu.tsx'

/** What the first page is shown without, in one round of requests after it. */
const loaders = [
  ...Object.values(menuLoaders),
  loadTooltipBubble,
  () => import('../components/notification-list.tsx'),
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
    const timer = setTimeout(loadAll, quietMs)
    return () => clearTimeout(timer)
  }, [isFetching])
}

/** A failure shows when the part is used, which tries again. */
function loadAll(): void {
  Promise.allSettled([...loaders.map(load => load()), loadMissingStyles()])
}
