import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { type Filters, filterQuery, noFilters, parseFilters } from './filters.ts'

/** The filters in the page's URL. */
export function useFilters() {
  const [params, setParams] = useSearchParams()
  // A change can follow another before the page is rendered with it.
  const latest = useRef(params)
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
    change: (changes: Partial<Filters>, options?: { replace: boolean }) =>
      show(filterQuery({ ...parseFilters(latest.current), ...changes }), options),
    clear: () => show(filterQuery(noFilters)),
  }
}
