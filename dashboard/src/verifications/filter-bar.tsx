import { DebouncedInput } from '../components/debounced-input.tsx'
import { FilterFields } from '../components/filter-fields.tsx'
import { LinkTabs } from '../components/link-tabs.tsx'
import { OutcomeFilter, ReasonFilter, TimeFilter } from './filter-fields.tsx'
import { countFilters, type problemOf, readSearch } from './filters.ts'
import { type useFilters, useOptimisticFilters } from './use-filters.ts'
import { viewLinks } from './views.ts'

interface Props {
  filtering: ReturnType<typeof useFilters>
  /** Explained where the list would be, so that the fields stay in line. */
  problem: ReturnType<typeof problemOf>
}

/** The views and the fields. */
export function FilterBar({ filtering: shown, problem }: Props) {
  const filtering = useOptimisticFilters(shown)
  const { filters, change, clear, clearings } = filtering
  const others = countFilters({ ...filters, search: undefined })
  return (
    <>
      <LinkTabs label="Views" tabs={viewLinks(filters)} />
      <FilterFields
        count={others}
        first={
          <DebouncedInput
            key={clearings}
            aria-label="Search by ID"
            placeholder="Search by ID"
            flex="1 1 9.5rem"
            value={filters.search ?? ''}
            error={problem?.field === 'search'}
            onSettle={text => change({ search: readSearch(text) || undefined }, { replace: true })}
          />
        }
        onClear={others > 0 || filters.search ? clear : undefined}
      >
        <OutcomeFilter filtering={filtering} />
        <ReasonFilter filtering={filtering} />
        <TimeFilter filtering={filtering} isInvalid={problem?.field === 'times'} />
      </FilterFields>
    </>
  )
}
