import { Button, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import {
  IconDeviceDesktop,
  IconMenu2,
  IconMoon,
  IconSearch,
  IconSelector,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react'
import { Link } from 'react-router'
import { useSession } from '../session/session-context.ts'
import { useSignIn } from '../sign-in/sign-in-context.ts'
import { schemeLabels } from '../theme/color-schemes.ts'
import classes from './header.module.css'
import { HeaderButton } from './header-button.tsx'
import { HeaderMenu } from './header-menu.tsx'
import { paletteKeys } from './shortcuts.ts'
import { Wordmark } from './wordmark.tsx'

interface Props {
  onOpenNavigation: () => void
  onOpenPalette: () => void
}

export function Header({ onOpenNavigation, onOpenPalette }: Props) {
  return (
    <header className={classes.header}>
      <HeaderButton
        Icon={IconMenu2}
        className={classes.burger}
        aria-label="Open navigation"
        onClick={onOpenNavigation}
      />
      <Link to="/" className={classes.home} aria-label="Age verification: overview">
        <Wordmark />
      </Link>
      <TenantSwitcher />
      <div className={classes.end}>
        <PaletteButton onClick={onOpenPalette} />
        <ThemeButton />
        <UserButton />
      </div>
    </header>
  )
}

/** The selected tenant; a menu for users who belong to several. */
function TenantSwitcher() {
  const { membership, memberships } = useSession()
  if (memberships.length === 0) return null
  if (membership && memberships.length === 1) {
    return (
      <Text size="sm" className={classes.tenant} title={membership.tenantName}>
        {membership.tenantName}
      </Text>
    )
  }
  const name = membership?.tenantName ?? 'Choose a tenant'
  return (
    <HeaderMenu
      of="tenant"
      button={
        <Button
          variant="default"
          size="xs"
          className={classes.switcher ?? ''}
          rightSection={<IconSelector size={14} aria-hidden />}
          aria-haspopup="listbox"
          aria-label={membership ? `Tenant: ${name}. Switch tenant` : name}
          title={name}
        >
          <Text span inherit truncate lh={1.4}>
            {name}
          </Text>
        </Button>
      }
    />
  )
}

function PaletteButton({ onClick }: { onClick: () => void }) {
  return (
    <UnstyledButton
      className={classes.palette}
      aria-haspopup="dialog"
      aria-label={`Search ${paletteKeys}`}
      onClick={onClick}
    >
      <IconSearch size={16} aria-hidden />
      <span className={classes.paletteLabel}>
        Search <kbd className={classes.key}>{paletteKeys}</kbd>
      </span>
    </UnstyledButton>
  )
}

const schemeIcons = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop }

function ThemeButton() {
  const { colorScheme } = useMantineColorScheme()
  return (
    <HeaderMenu
      of="theme"
      button={
        <HeaderButton
          Icon={schemeIcons[colorScheme]}
          aria-haspopup="menu"
          aria-label={`Theme: ${schemeLabels[colorScheme]}`}
        />
      }
    />
  )
}

function UserButton() {
  const { name } = useSignIn()
  return (
    <HeaderMenu
      of="user"
      button={
        <UnstyledButton className={classes.user} aria-haspopup="menu" aria-label={`Signed in as ${name}`}>
          <IconUserCircle size={20} stroke={1.7} aria-hidden />
          <span className={classes.userName}>{name}</span>
        </UnstyledButton>
      }
    />
  )
}
