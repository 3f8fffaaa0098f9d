import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useLayoutEffect, useState } from 'react'
import { FilterFields } from '../components/filter-fields.tsx'
import { LinkTabs } from '../components/link-tabs.tsx'
import { OutcomeFilter, ReasonFilter, TimeFilter } from './filter-fields.tsx'
import { countFilters, type FilterProblem, readSearch } from './filters.ts'
import { type useFilters, useOptimisticFilters } from './use-filters.ts'
import { viewLinks } from './views.ts'

interface Props {
  filtering: ReturnType<typeof useFilters>
  /** Explained where the list would be, so that the fields stay in line. */
  problem: FilterProblem | undefined
}

/** The views and the fields. */
export function FilterBar({ filtering: shown, problem }: Props) {
  const filtering = useOptimisticFilters(shown)
  const { filters, clear, clearings } = filtering
  const others = countFilters({ ...filters, search: undefined })
  return (
    <>
      <LinkTabs label="Views" tabs={viewLinks(filters)} />
      <FilterFields
        count={others}
        first={<SearchField key={clearings} filtering={filtering} isInvalid={problem?.field === 'search'} />}
        onClear={others > 0 || filters.search ? clear : undefined}
      >
        <OutcomeFilter filtering={filtering} />
        <ReasonFilter filtering={filtering} />
        <TimeFilter filtering={filtering} isInvalid={problem?.field === 'times'} />
      </FilterFields>
    </>
  )
}

const typingPauseMs = 300

/** Debounces the search, whose value is otherwise stored in the page's URL. */
function SearchField({ filtering, isInvalid }: { filtering: Props['filtering']; isInvalid: boolean }) {
  const { filters, change } = filtering
  const [text, setText] = useState(filters.search ?? '')
  useEffect(() => setText(filters.search ?? ''), [filters.search])
  const apply = useDebouncedCallback((search: string) => {
    change({ search: readSearch(search) || undefined }, { replace: true })
  }, typingPauseMs)
  // A layout effect, whose end is not put off until the browser has drawn.
  useLayoutEffect(() => () => apply.cancel(), [apply])
  return (
    <TextInput
      type="search"
      aria-label="Search by ID"
      placeholder="Search by ID"
      flex="1 1 9.5rem"
      value={text}
      spellCheck={false}
      error={isInvalid}
      onChange={event => {
        setText(event.currentTarget.value)
        apply(event.currentTarget.value)
      }}
    />
  )
}
