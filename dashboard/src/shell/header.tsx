import { ActionIcon } from '@mantine/core'
import { IconMenu2 } from '@tabler/icons-react'
import { Link } from 'react-router'
import { ColorSchemeMenu } from '../theme/color-scheme-menu.tsx'
import classes from './header.module.css'
import { TenantSwitcher } from './tenant-switcher.tsx'
import { UserMenu } from './user-menu.tsx'
import { Wordmark } from './wordmark.tsx'

export function Header({ onOpenNavigation }: { onOpenNavigation: () => void }) {
  return (
    <header className={classes.header}>
      <ActionIcon
        className={classes.burger}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Open navigation"
        onClick={onOpenNavigation}
      >
        <IconMenu2 size={20} aria-hidden />
      </ActionIcon>
      <Link to="/" className={classes.home} aria-label="Age verification: overview">
        <Wordmark />
      </Link>
      <TenantSwitcher />
      <div className={classes.end}>
        <ColorSchemeMenu />
        <UserMenu />
      </div>
    </header>
  )
}
