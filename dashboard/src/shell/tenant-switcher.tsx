import { Button, Menu, Text } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { useSession } from '../session/session-context.ts'
import { tenantPath } from '../session/tenant-path.ts'
import classes from './tenant-switcher.module.css'

/** The selected tenant; a menu for users who belong to several. */
export function TenantSwitcher() {
  const { membership, memberships } = useSession()
  const navigate = useNavigate()
  if (!membership) return null
  if (memberships.length === 1) {
    return (
      <Text size="sm" className={classes.name} title={membership.tenantName}>
        {membership.tenantName}
      </Text>
    )
  }
  const select = (tenantId: string) => navigate(tenantPath(tenantId, '/overview'))
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          className={classes.button}
          rightSection={<IconSelector size={14} aria-hidden />}
          aria-label={`Tenant: ${membership.tenantName}. Switch tenant`}
        >
          {membership.tenantName}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label="Tenants">
        <Menu.RadioGroup value={membership.tenantId} onChange={select}>
          {memberships.map(({ tenantId, tenantName, role }) => (
            <Menu.RadioItem key={tenantId} value={tenantId} closeMenuOnClick>
              {tenantName}
              <Text size="xs" c="dimmed">
                {role}
              </Text>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
