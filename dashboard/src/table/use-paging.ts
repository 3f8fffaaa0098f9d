import { useLocation, useSearchParams } from 'react-router'

/**
 * Pages of a list that is read by cursors, in the address: a page can be linked to, and Back goes back. Cursors
 * lead only to older entries, so those of the newer pages are kept with the history entry.
 */
export function usePaging() {
  const [params, setParams] = useSearchParams()
  const newer = newerCursors(useLocation().state)
  const cursor = params.get('cursor') ?? undefined
  const show = (next: string | undefined, cursors: string[]) => {
    const changed = new URLSearchParams(params)
    if (next) changed.set('cursor', next)
    else changed.delete('cursor')
    setParams(changed, { state: { cursors } })
  }
  return {
    cursor,
    showOlder: (next: string) => show(next, [...newer, cursor ?? '']),
    showNewer: () => show(newer.at(-1), newer.slice(0, -1)),
    showNewest: () => show(undefined, []),
  }
}

function newerCursors(state: unknown): string[] {
  const cursors = state !== null && typeof state === 'object' && 'cursors' in state ? state.cursors : []
  return Array.isArray(cursors) ? cursors : []
}
