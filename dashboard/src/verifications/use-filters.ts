import { startTransition, useEffect, useOptimistic, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { Filters } from './filters.ts'
import { parseQuery, viewQuery } from './views.ts'

/** The filters in the page's URL. */
export function useFilters() {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const [clearings, setClearings] = useState(0)
  const show = async (query: URLSearchParams, options?: { replace: boolean }) =>
    navigate({ search: query.toString() }, options)
  const filters = parseQuery(params)
  const query = viewQuery(filters)
  useEffect(() => {
    if (params.has('view') && !query.has('view')) show(query, { replace: true })
  })
  return {
    filters,
    /** Returns to the first page. The URL has every earlier change, also one that is not drawn yet. */
    change: (changes: Partial<Filters>, options?: { replace: boolean }) => {
      const latest = parseQuery(new URLSearchParams(window.location.search))
      return show(viewQuery({ ...latest, ...changes }), options)
    },
    clear: () => {
      setClearings(count => count + 1)
      return show(new URLSearchParams())
    },
    /** How often they were cleared: the key of a field whose input is applied later, so that clearing discards it. */
    clearings,
  }
}

/** The same for the fields: they show a choice at once, and the page follows as soon as it can be drawn. */
export function useOptimisticFilters(filtering: ReturnType<typeof useFilters>): typeof filtering {
  const [filters, show] = useOptimistic(filtering.filters)
  const perform = async (shown: Partial<Filters>, action: () => Promise<void>) =>
    startTransition(async () => {
      show(current => ({ ...current, ...shown }))
      await action()
    })
  return {
    ...filtering,
    filters,
    change: (changes, options) => perform(changes, () => filtering.change(changes, options)),
    clear: () => {
      // Outside of the transition: what is typed into a field must not be applied while the page is drawn.
      const cleared = filtering.clear()
      return perform(parseQuery(new URLSearchParams()), () => cleared)
    },
  }
}
