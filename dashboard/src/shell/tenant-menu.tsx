import { Combobox, Group, Text, useCombobox } from '@mantine/core'
import { cloneElement, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Icon } from '../components/icon.tsx'
import { tenantPath, useCreatableKinds, useSession } from '../session/session-context.ts'
import classes from './header.module.css'
import type { MenuProps } from './header-menu.tsx'
import { useActiveOption } from './use-active-option.ts'

/** From so many tenants on, a field searches them by name. */
const searchedFrom = 8

/** Stands for no tenant. */
const creation = 'create'

/** The user's tenants. Another one is shown on the page of this one. */
export function TenantMenu({ opened, onChange, button }: MenuProps) {
  const { membership, memberships } = useSession()
  const mayCreate = useCreatableKinds().length > 0
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const isSearched = memberships.length >= searchedFrom
  const [search, setSearch] = useState('')
  const combobox = useCombobox({ opened, onOpenedChange: onChange })
  const { activeId, store } = useActiveOption(combobox)
  const { focusSearchInput, updateSelectedOptionIndex } = combobox
  useEffect(() => {
    if (!opened) {
      setSearch('')
      return
    }
    if (isSearched) focusSearchInput()
    // The arrow keys begin at the selected tenant, which can be far down.
    updateSelectedOptionIndex('active', { scrollIntoView: true })
  }, [opened, isSearched, focusSearchInput, updateSelectedOptionIndex])
  const found = memberships.filter(({ tenantName }) => includes(tenantName, search))
  const close = () => {
    combobox.closeDropdown()
    combobox.focusTarget()
  }
  const select = (tenantId: string) => {
    close()
    if (tenantId === creation) return navigate('/create-tenant')
    if (tenantId !== membership?.tenantId) navigate(tenantPath(tenantId, samePage(pathname)))
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
        {isSearched && (
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
        )}
        <Combobox.Options aria-label="Tenants" className={classes.tenants ?? ''}>
          {found.map(({ tenantId, tenantName, role, test }) => (
            <Combobox.Option
              key={tenantId}
              value={tenantId}
              active={tenantId === membership?.tenantId}
              aria-selected={tenantId === membership?.tenantId}
              title={tenantName}
            >
              <Group justify="space-between" gap="sm" wrap="nowrap">
                <Text size="sm" miw={0} truncate fw={tenantId === membership?.tenantId ? 600 : 400}>
                  {tenantName}
                </Text>
                {tenantId === membership?.tenantId && <Icon name="check" size={16} />}
              </Group>
              <Text size="xs" c="dimmed">
                {test ? `${role} · test` : role}
              </Text>
            </Combobox.Option>
          ))}
          {mayCreate && (
            <Combobox.Option value={creation}>
              <Text size="sm">Create a tenant …</Text>
            </Combobox.Option>
          )}
        </Combobox.Options>
        {found.length === 0 && <Combobox.Empty role="status">No tenant has this name.</Combobox.Empty>}
      </Combobox.Dropdown>
    </Combobox>
  )
}

/** The page of a path, without what is only in its tenant, such as an opened verification. */
function samePage(pathname: string): string {
  const [, page = ''] = /^\/t\/[^/]+(\/.*)$/.exec(pathname) ?? []
  return page.replace(/^(\/verifications)\/.*/, '$1') || '/overview'
}

function includes(text: string, part: string): boolean {
  return text.toLocaleLowerCase().includes(part.trim().toLocaleLowerCase())
}
