import { useIsFetching } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

export type Overlays = typeof import('./overlays.tsx')

let loaded: Overlays | undefined
let loading: Promise<Overlays> | undefined

/** The code of what opens over the page. Resolves as soon as it can be loaded: a failure is tried again. */
export function loadOverlays(): Promise<Overlays> {
  loading ??= loadUntilDone()
  return loading
}

const retryMs = 2_000

async function loadUntilDone(): Promise<Overlays> {
  for (;;) {
    try {
      loaded = await import('./overlays.tsx')
      return loaded
    } catch {
      await new Promise(resolve => setTimeout(resolve, retryMs))
    }
  }
}

const quietMs = 500

/** The same, undefined until then. It is loaded once the first page has its data, or as soon as it is wanted. */
export function useOverlays(isWanted: boolean): Overlays | undefined {
  const [overlays, setOverlays] = useState(loaded)
  const isFetching = useIsFetching() > 0
  useEffect(() => {
    if (isFetching && !isWanted) return
    const timer = setTimeout(async () => setOverlays(await loadOverlays()), isWanted ? 0 : quietMs)
    return () => clearTimeout(timer)
  }, [isFetching, isWanted])
  return overlays
}
