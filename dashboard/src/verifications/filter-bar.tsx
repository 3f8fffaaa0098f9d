import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import classes from './filter-bar.module.css'
import { isFiltered, type useFilters, validateSearch } from './filters.ts'
import { isStatus, statuses, statusNames } from './status.tsx'

const typingPauseMs = 300

/** Debounces the search, whose value is otherwise stored in the page's URL. */
export function FilterBar({ filters, change, clear }: ReturnType<typeof useFilters>) {
  const [search, setSearch] = useState(filters.search ?? '')
  useEffect(() => setSearch(filters.search ?? ''), [filters.search])
  const applySearch = useDebouncedCallback((text: string) => {
    change({ search: text.trim() || undefined }, { replace: true })
  }, typingPauseMs)
  return (
    <search className={classes.bar}>
      <TextInput
        label="ID"
        placeholder="Full ID or prefix"
        className={classes.id}
        value={search}
        spellCheck={false}
        error={validateSearch(search.trim())}
        onChange={event => {
          setSearch(event.currentTarget.value)
          applySearch(event.currentTarget.value)
        }}
      />
      <NativeSelect
        label="Status"
        value={filters.status ?? ''}
        data={[
          { value: '', label: 'All' },
          ...statusNames.map(value => ({ value, label: statuses[value].label })),
        ]}
        onChange={({ currentTarget: { value } }) => change({ status: isStatus(value) ? value : undefined })}
      />
      <TextInput
        type="date"
        label="Created from"
        value={filters.from ?? ''}
        max={filters.to}
        onChange={event => change({ from: event.currentTarget.value }, { replace: true })}
      />
      <TextInput
        type="date"
        label="Created to"
        value={filters.to ?? ''}
        min={filters.from}
        onChange={event => change({ to: event.currentTarget.value }, { replace: true })}
      />
      <Button variant="default" disabled={!isFiltered(filters)} onClick={clear}>
        Clear
      </Button>
    </search>
  )
}
