import { ActionIcon, Menu, Text } from '@mantine/core'
import { Icon } from './icon.tsx'

interface MenuAction {
  label: string
  isDestructive?: boolean
  onClick: () => void
}

interface Props {
  /** Names what they are for, as in "Actions for Shop". */
  label: string
  actions: readonly MenuAction[]
  /** Why they are unavailable; undefined if they are available. */
  disabledReason: string | undefined
}

/** What the column of the menus has besides them. */
export const actionsColumn = { header: 'Actions', width: 3, headerHidden: true, alignEnd: true }

/** The actions on one thing, behind a button with three dots. They stay focusable, so that the reason can be read. */
export function ActionMenu({ label, actions, disabledReason }: Props) {
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${label}`}>
          <Icon name="dots" size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label, isDestructive = false, onClick }) => (
          <Menu.Item
            key={label}
            {...(disabledReason === undefined
              ? { ...(isDestructive && { c: 'var(--denied-text)' }), onClick }
              : { 'aria-disabled': true, c: 'dimmed', closeMenuOnClick: false, maw: '18rem' })}
          >
            {label}
            {disabledReason && <Text size="xs">{disabledReason}</Text>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
