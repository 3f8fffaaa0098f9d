import { canHaveReason, type Filters, filterQuery, parseFilters } from './filters.ts'
import { isStatus } from './status.ts'

type Restriction = Partial<Pick<Filters, 'statuses' | 'state' | 'over18'>>

/** Filters with a name, by what the URL calls them: `?view=needs-a-look`. */
const views: Record<string, { label: string; keywords?: string; restriction: Restriction }> = {
  all: { label: 'All', restriction: {} },
  'needs-a-look': { label: 'Needs a look', restriction: { state: 'attention' } },
  open: { label: 'Open', restriction: { state: 'open' } },
  completed: { label: 'Completed', restriction: { state: 'completed' } },
  denied: { label: 'Denied', restriction: { statuses: ['denied'] } },
  'gave-up': { label: 'Gave up', restriction: { statuses: ['rejected'] } },
  'under-18': { label: 'Under 18', keywords: 'minors underage', restriction: { over18: 'no' } },
  'token-revoked': { label: 'Token revoked', restriction: { over18: 'revoked' } },
}

/** The views, for a search of pages. Statuses are there by their own names. */
export const viewPages = Object.entries(views)
  .filter(([name, { label }]) => name !== 'all' && !isStatus(label.toLowerCase()))
  .map(([name, { label, keywords = '' }]) => ({ to: `/verifications?view=${name}`, label, keywords }))

const none = { statuses: [], state: undefined, over18: undefined }

/** The filters of a URL's query, those of its view included. */
export function parseQuery(params: URLSearchParams): Filters {
  const view = views[params.get('view') ?? '']
  return view ? { ...parseFilters(params), ...none, ...view.restriction } : parseFilters(params)
}

/** The query of the list's URL with these filters: by the name of a view if they are one, without a reason that can't match. */
export function viewQuery(chosen: Filters): URLSearchParams {
  const filters = canHaveReason(chosen) ? chosen : { ...chosen, reasonCode: undefined }
  const name = findView(filters)
  if (name === undefined || name === 'all') return filterQuery(filters)
  const query = filterQuery({ ...filters, ...none })
  query.set('view', name)
  return query
}

/** The view that has these filters, whatever the reason, the time and the search; undefined for none. */
function findView({ statuses, state, over18 }: Filters): string | undefined {
  const isSame = ({ restriction }: (typeof views)[string]) =>
    restriction.state === state &&
    restriction.over18 === over18 &&
    String(restriction.statuses ?? []) === String(statuses)
  return Object.keys(views).find(name => isSame(views[name]!))
}

/** The views as links that keep the time, the search and the reason. */
export function viewLinks(filters: Filters): { label: string; to: { search: string }; isCurrent: boolean }[] {
  const current = findView(filters)
  return Object.entries(views).map(([name, { label, restriction }]) => ({
    label,
    to: { search: viewQuery({ ...filters, ...none, ...restriction }).toString() },
    isCurrent: name === current,
  }))
}

/** The filters in the name of a file: `denied-2026-11-01-2026-11-30`, or `denied-30d`. */
export function fileNameWords(filters: Filters): string {
  return [...viewQuery(filters).values()].join('-')
}
