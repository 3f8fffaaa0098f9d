import { Combobox, Text, useCombobox } from '@mantine/core'
import { cloneElement, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useActiveOption } from '../components/use-active-option.ts'
import { useSession } from '../session/session-context.ts'
import { tenantPath } from '../session/tenant-path.ts'
import classes from './header.module.css'
import type { MenuProps } from './header-button.tsx'

/** The user's tenants, with a field that searches them by name. */
export function TenantMenu({ opened, onChange, button }: MenuProps) {
  const { membership, memberships } = useSession()
  const navigate = useNavigate()
  const [search, setSearch] = useState('')
  const combobox = useCombobox({ opened, onOpenedChange: onChange })
  const { activeId, store } = useActiveOption(combobox)
  const { focusSearchInput, updateSelectedOptionIndex } = combobox
  useEffect(() => {
    if (!opened) {
      setSearch('')
      return
    }
    focusSearchInput()
    // The arrow keys begin at the selected tenant, which can be far down.
    updateSelectedOptionIndex('active', { scrollIntoView: true })
  }, [opened, focusSearchInput, updateSelectedOptionIndex])
  const found = memberships.filter(({ tenantName }) => includes(tenantName, search))
  const close = () => {
    combobox.closeDropdown()
    combobox.focusTarget()
  }
  const select = (tenantId: string) => {
    close()
    if (tenantId !== membership?.tenantId) navigate(tenantPath(tenantId, '/overview'))
  }
  return (
    <Combobox
      store={store}
      position="bottom-start"
      width="min(22rem, calc(100vw - 1rem))"
      withinPortal={false}
      onOptionSubmit={select}
    >
      <Combobox.Target targetType="button">
        {cloneElement(button, { onClick: () => combobox.toggleDropdown() })}
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={search}
          onChange={event => {
            setSearch(event.currentTarget.value)
            store.resetSelectedOption()
          }}
          onKeyDown={event => event.key === 'Escape' && close()}
          placeholder="Search tenants"
          aria-label="Search tenants"
          aria-activedescendant={activeId}
        />
        <Combobox.Options aria-label="Tenants" className={classes.tenants ?? ''}>
          {found.map(({ tenantId, tenantName, role }) => (
            <Combobox.Option
              key={tenantId}
              value={tenantId}
              active={tenantId === membership?.tenantId}
              aria-selected={tenantId === membership?.tenantId}
              title={tenantName}
            >
              <Text size="sm" truncate>
                {tenantName}
              </Text>
              <Text size="xs" c="dimmed">
                {role}
                {tenantId === membership?.tenantId && ' · selected'}
              </Text>
            </Combobox.Option>
          ))}
        </Combobox.Options>
        {found.length === 0 && <Combobox.Empty role="status">No tenant has this name.</Combobox.Empty>}
      </Combobox.Dropdown>
    </Combobox>
  )
}

function includes(text: string, part: string): boolean {
  return text.toLocaleLowerCase().includes(part.trim().toLocaleLowerCase())
}
