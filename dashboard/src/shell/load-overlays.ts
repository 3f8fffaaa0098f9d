import { useIsFetching } from '@tanstack/react-query'
import { useEffect } from 'react'
import { showNotificationsWith } from '../components/notify.ts'

export type Overlays = typeof import('./overlays.tsx')

let loaded: Overlays | undefined

const retryMs = 2_000

/** The code of what opens over the page, and with it the typeface. Resolves as soon as it can be loaded: a failure is tried again. */
async function loadOverlays(): Promise<Overlays> {
  try {
    loaded = await import('./overlays.tsx')
    document.documentElement.dataset.typeface = 'loaded'
    showNotificationsWith(loaded.notifications.show)
    return loaded
  } catch {
    await new Promise(resolve => setTimeout(resolve, retryMs))
    return loadOverlays()
  }
}

/** Undefined until it is loaded. */
export function loadedOverlays(): Overlays | undefined {
  return loaded
}

const quietMs = 500

interface Props {
  isWanted: boolean
  onLoad: (overlays: Overlays) => void
}

/** Loads it once the first page has its data, or as soon as it is wanted. Nothing else waits for what is fetched. */
export function LoadOverlays({ isWanted, onLoad }: Props): null {
  const isFetching = useIsFetching() > 0
  useEffect(() => {
    if (isFetching && !isWanted) return
    const timer = setTimeout(async () => onLoad(await loadOverlays()), isWanted ? 0 : quietMs)
    return () => clearTimeout(timer)
  }, [isFetching, isWanted, onLoad])
  return null
}
