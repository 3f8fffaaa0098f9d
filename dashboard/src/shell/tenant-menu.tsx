import { Menu, ScrollArea, Text } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useSession } from '../session/session-context.ts'
import { tenantPath } from '../session/tenant-path.ts'
import '../theme/overlay-styles.ts'
import type { MenuProps } from './header-menu.tsx'

/** A menu without a search field is easier to use, as long as it fits. */
const searchedFrom = 8

/** The user's tenants. */
export default function TenantMenu({ opened, onChange, button }: MenuProps) {
  const { membership, memberships } = useSession()
  const navigate = useNavigate()
  const [search, setSearch] = useState('')
  const found = memberships.filter(({ tenantName }) => includes(tenantName, search))
  return (
    <Menu opened={opened} onChange={onChange} position="bottom-start" width="min(22rem, calc(100vw - 1rem))">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown aria-label="Tenants">
        {memberships.length >= searchedFrom && (
          <Menu.Search
            value={search}
            onChange={event => setSearch(event.currentTarget.value)}
            placeholder="Search tenants"
            aria-label="Search tenants"
          />
        )}
        <ScrollArea.Autosize mah="min(22rem, 60dvh)" type="auto">
          <Menu.RadioGroup
            value={membership?.tenantId ?? ''}
            onChange={tenantId => navigate(tenantPath(tenantId, '/overview'))}
          >
            {found.map(({ tenantId, tenantName, role }) => (
              <Menu.RadioItem key={tenantId} value={tenantId} title={tenantName} closeMenuOnClick>
                <Text size="sm" truncate>
                  {tenantName}
                </Text>
                <Text size="xs" c="dimmed">
                  {role}
                </Text>
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </ScrollArea.Autosize>
        {found.length === 0 && <Menu.Label role="status">No tenant has this name.</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  )
}

function includes(text: string, part: string): boolean {
  return text.toLocaleLowerCase().includes(part.trim().toLocaleLowerCase())
}
