import { ActionIcon, Menu, Text } from '@mantine/core'
import { Icon } from './icon.tsx'
import { tooltipContainerId } from './page.tsx'

interface MenuAction {
  label: string
  /** Why the action is unavailable; undefined if it is available. */
  disabledReason: string | undefined
  isDestructive?: boolean
  onClick: () => void
}

/** The actions on one thing, behind a button with three dots. `label` names it, as in "Actions for Shop". */
export function ActionMenu({ label, actions }: { label: string; actions: readonly MenuAction[] }) {
  return (
    // Outside the table, which would clip it.
    <Menu position="bottom-end" withinPortal portalProps={{ target: `#${tooltipContainerId}` }}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${label}`}>
          <Icon name="dots" size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(action => (
          <ActionMenuItem key={action.label} {...action} />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Stays focusable while it is unavailable, so that the reason can be read. */
function ActionMenuItem({ label, disabledReason, isDestructive = false, onClick }: MenuAction) {
  const available = { ...(isDestructive && { c: 'var(--denied-text)' }), onClick }
  const unavailable = { 'aria-disabled': true, c: 'dimmed', closeMenuOnClick: false, maw: '18rem' }
  return (
    <Menu.Item {...(disabledReason === undefined ? available : unavailable)}>
      {label}
      {disabledReason && <Text size="xs">{disabledReason}</Text>}
    </Menu.Item>
  )
}
