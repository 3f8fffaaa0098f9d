import { Button, Flex, TextInput } from '@mantine/core'
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks'
import { useEffect, useLayoutEffect, useState } from 'react'
import { Icon } from '../components/icon.tsx'
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

/** The views and the fields. On phones, everything but the search is behind a button. */
export function FilterBar({ filtering: shown, problem }: Props) {
  const filtering = useOptimisticFilters(shown)
  const { filters, clear, clearings } = filtering
  const [isExpanded, { toggle }] = useDisclosure()
  const others = countFilters({ ...filters, search: undefined })
  return (
    <>
      <LinkTabs label="Views" tabs={viewLinks(filters)} />
      <search>
        <Flex wrap="wrap" align="flex-end" gap="sm">
          <SearchField key={clearings} filtering={filtering} isInvalid={problem?.field === 'search'} />
          <Button
            hiddenFrom="sm"
            variant="default"
            leftSection={<Icon name="adjustments-horizontal" size={16} />}
            aria-expanded={isExpanded}
            aria-controls="more-filters"
            onClick={toggle}
          >
            {others > 0 ? `Filters (${others})` : 'Filters'}
          </Button>
          <Flex
            id="more-filters"
            display={{ base: isExpanded ? 'flex' : 'none', sm: 'contents' }}
            flex="1 0 100%"
            wrap="wrap"
            align="flex-end"
            gap="sm"
          >
            <OutcomeFilter filtering={filtering} />
            <ReasonFilter filtering={filtering} />
            <TimeFilter filtering={filtering} isInvalid={problem?.field === 'times'} />
            {(others > 0 || filters.search) && (
              <Button variant="subtle" px="xs" onClick={clear}>
                Clear filters
              </Button>
            )}
          </Flex>
        </Flex>
      </search>
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
