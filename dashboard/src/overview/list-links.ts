import { useTenantPath } from '../session/tenant-path.ts'
import { type Filters, filterQuery } from '../verifications/filters.ts'

/** The path of the verifications with a filter, whose days are UTC days of their completion. */
export function useListPath(): (filter: Partial<Filters>) => string {
  const tenantPath = useTenantPath()
  return filter => {
    const days = filter.from ? ({ by: 'completed', zone: 'utc' } as const) : {}
    return `${tenantPath('/verifications')}?${filterQuery({ ...filter, ...days })}`
  }
}
