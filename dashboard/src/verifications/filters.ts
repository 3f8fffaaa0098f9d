import { useSearchParams } from 'react-router'
import { isStatus, type Status } from './status.tsx'

export interface Filters {
  status: Status | undefined
  /** Days in the user's time zone, YYYY-MM-DD, both included. */
  from: string | undefined
  to: string | undefined
  /** A verification ID or a prefix of one. */
  search: string | undefined
}

/** The filters in the page's URL. Invalid values are ignored. */
export function useFilters() {
  const [params, setParams] = useSearchParams()
  const status = params.get('status')
  const filters: Filters = {
    status: isStatus(status) ? status : undefined,
    from: parseDay(params.get('from')),
    to: parseDay(params.get('to')),
    search: params.get('search') || undefined,
  }
  /** Returns to the first page. */
  const change = (changes: Partial<Filters>, options?: { replace: boolean }) => {
    const changed = new URLSearchParams(params)
    changed.delete('cursor')
    for (const [name, value] of Object.entries(changes)) {
      if (value) changed.set(name, value)
      else changed.delete(name)
    }
    setParams(changed, options)
  }
  return { filters, change, clear: () => setParams({}) }
}

/** The procedure's input: days become times, from the first midnight to the one after the last day. */
export function filterInput({ status, from, to, search }: Filters) {
  return {
    ...(status && { status }),
    ...(from && { from: midnight(from, 0) }),
    ...(to && { to: midnight(to, 1) }),
    ...(search && { search: search.toLowerCase() }),
  }
}

export function isFiltered(filters: Filters): boolean {
  return Object.values(filters).some(value => value !== undefined)
}

/** The field's error message; undefined for a valid ID or prefix. */
export function validateSearch(search: string | undefined): string | undefined {
  if (!search || /^[0-9a-f-]{1,36}$/i.test(search)) return undefined
  return 'IDs contain only digits, the letters a to f and hyphens.'
}

function parseDay(text: string | null): string | undefined {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
    ? text
    : undefined
}

function midnight(day: string, daysLater: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + daysLater).toISOString()
}
