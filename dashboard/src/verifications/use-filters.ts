import { useSearchParams } from 'react-router'
import { type Filters, filterQuery, noFilters, parseFilters } from './filters.ts'

/** The filters in the page's URL. */
export function useFilters() {
  const [params, setParams] = useSearchParams()
  const filters = parseFilters(params)
  return {
    filters,
    /** Returns to the first page. */
    change: (changes: Partial<Filters>, options?: { replace: boolean }) =>
      setParams(filterQuery({ ...filters, ...changes }), options),
    clear: () => setParams(filterQuery(noFilters)),
  }
}
