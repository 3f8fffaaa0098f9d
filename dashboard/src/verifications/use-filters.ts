import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Filters } from './filters.ts'
import { parseQuery, viewQuery } from './views.ts'

/** The filters in the page's URL. */
export function useFilters() {
  const [params, setParams] = useSearchParams()
  const [clearings, setClearings] = useState(0)
  const filters = parseQuery(params)
  // Rendered at once, so that a change that follows is one of these filters.
  const show = (query: URLSearchParams, options?: { replace: boolean }) =>
    setParams(query, { ...options, flushSync: true })
  return {
    filters,
    /** Returns to the first page. */
    change: (changes: Partial<Filters>, options?: { replace: boolean }) =>
      show(viewQuery({ ...filters, ...changes }), options),
    clear: () => {
      setClearings(count => count + 1)
      show(new URLSearchParams())
    },
    /** How often they were cleared: the key of a field whose input is applied later, so that clearing discards it. */
    clearings,
  }
}
