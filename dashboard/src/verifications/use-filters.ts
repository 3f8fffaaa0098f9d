import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type Filters, filterQuery, parseFilters } from './filters.ts'

/** The filters in the page's URL. */
export function useFilters() {
  const [params, setParams] = useSearchParams()
  // A change can follow another before the page is rendered with it.
  const latest = useRef(params)
  const [clearings, setClearings] = useState(0)
  useEffect(() => {
    latest.current = params
  }, [params])
  const show = (query: URLSearchParams, options?: { replace: boolean }) => {
    latest.current = query
    setParams(query, options)
  }
  return {
    filters: parseFilters(params),
    /** Returns to the first page. */
    change: (
      changes: Partial<Filters> | ((filters: Filters) => Partial<Filters>),
      options?: { replace: boolean },
    ) => {
      const current = parseFilters(latest.current)
      const changed = typeof changes === 'function' ? changes(current) : changes
      show(filterQuery({ ...current, ...changed }), options)
    },
    clear: () => {
      setClearings(count => count + 1)
      show(new URLSearchParams())
    },
    /** How often they were cleared: the key of a field whose input is applied later, so that clearing discards it. */
    clearings,
  }
}
