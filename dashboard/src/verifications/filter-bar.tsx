import { Button, Chip, Group, SegmentedControl, TextInput } from '@mantine/core'
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks'
import { useEffect, useLayoutEffect, useState } from 'react'
import { Icon } from '../components/icon.tsx'
import classes from './filter-bar.module.css'
import { DayFilter, FilterSelect, ReasonFilter } from './filter-fields.tsx'
import { countFilters, type FilterProblem } from './filters.ts'
import { statuses, statusNames } from './status.ts'
import type { useFilters } from './use-filters.ts'

interface Props {
  filtering: ReturnType<typeof useFilters>
  /** Explained where the list would be, so that the fields stay in line. */
  problem: FilterProblem | undefined
}

/** On phones, everything but the search is behind a button. */
export function FilterBar({ filtering, problem }: Props) {
  const { filters, change, clear, clearings } = filtering
  const [isExpanded, { toggle }] = useDisclosure()
  const others = countFilters({ ...filters, search: undefined })
  return (
    <search className={classes.bar}>
      <SearchField key={clearings} filtering={filtering} isInvalid={problem?.field === 'search'} />
      <Button
        className={classes.toggle}
        variant="default"
        leftSection={<Icon name="adjustments-horizontal" size={16} />}
        aria-expanded={isExpanded}
        aria-controls="more-filters"
        onClick={toggle}
      >
        {others > 0 ? `Filters (${others})` : 'Filters'}
      </Button>
      <div id="more-filters" className={classes.more} data-expanded={isExpanded}>
        <FilterSelect
          label="18 or over"
          any="Any"
          value={filters.over18}
          options={{ yes: '18 or over', no: 'Under 18', unknown: 'Age unknown', revoked: 'Token revoked' }}
          onChange={over18 => change({ over18 })}
        />
        <ReasonFilter reasonCode={filters.reasonCode} onChange={reasonCode => change({ reasonCode })} />
        <DayFilter filtering={filtering} isInvalid={problem?.field === 'days'} />
        <Button
          className={classes.clear}
          variant="default"
          {...(others > 0 || filters.search
            ? { onClick: clear }
            : { 'data-disabled': true, 'aria-disabled': true })}
        >
          Clear filters
        </Button>
        <div className={classes.statuses}>
          <SegmentedControl
            aria-label="Open or completed"
            size="xs"
            value={filters.state ?? 'all'}
            data={[
              { value: 'all', label: 'All' },
              { value: 'open', label: 'Open' },
              { value: 'completed', label: 'Completed' },
            ]}
            onChange={value => change({ state: value === 'all' ? undefined : value })}
          />
          <Group gap="0.375rem" role="group" aria-label="Statuses">
            {statusNames.map(status => (
              <Chip
                key={status}
                size="xs"
                variant="outline"
                checked={filters.statuses.includes(status)}
                onChange={isChosen => {
                  const others = filters.statuses.filter(other => other !== status)
                  change({ statuses: isChosen ? [...others, status] : others })
                }}
              >
                {statuses[status].label}
              </Chip>
            ))}
          </Group>
        </div>
      </div>
    </search>
  )
}

const typingPauseMs = 300

/** Debounces the search, whose value is otherwise stored in the page's URL. */
function SearchField({ filtering, isInvalid }: { filtering: Props['filtering']; isInvalid: boolean }) {
  const { filters, change } = filtering
  const [text, setText] = useState(filters.search ?? '')
  useEffect(() => setText(filters.search ?? ''), [filters.search])
  const apply = useDebouncedCallback((search: string) => {
    change({ search: search.trim() || undefined }, { replace: true })
  }, typingPauseMs)
  // A layout effect, whose end is not put off until the browser has drawn.
  useLayoutEffect(() => () => apply.cancel(), [apply])
  return (
    <TextInput
      type="search"
      label="Search by ID"
      placeholder="An ID or its beginning"
      className={classes.search}
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
