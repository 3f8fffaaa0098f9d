import {
  ActionIcon,
  type ActionIconProps,
  Button,
  Text,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core'
import type { ButtonHTMLAttributes, Ref } from 'react'
import { Link } from 'react-router'
import { Icon, type IconName } from '../components/icon.tsx'
import { Wordmark } from '../components/wordmark.tsx'
import { useSession } from '../session/session-context.ts'
import { useSignIn } from '../sign-in/sign-in-context.ts'
import { schemes } from './color-schemes.ts'
import classes from './header.module.css'
import { HeaderMenu, type HeaderMenuProps } from './header-menu.tsx'
import type { Overlays } from './load-overlays.ts'
import { paletteKeys } from './shortcuts.ts'

export type Overlay = 'navigation' | 'palette' | 'shortcuts' | 'tenant' | 'theme' | 'user'

interface Props {
  /** What is open over the page. */
  opened: Overlay | undefined
  onChange: (opened: Overlay | undefined) => void
  overlays: Overlays | undefined
}

export function Header({ opened, onChange, overlays }: Props) {
  const menu = (name: Overlay) => ({
    opened: opened === name,
    onChange: (isOpened: boolean) => onChange(isOpened ? name : undefined),
  })
  return (
    <header className={classes.header}>
      <HeaderButton
        icon="menu-2"
        className={classes.burger}
        aria-label="Open navigation"
        onClick={() => onChange('navigation')}
      />
      <div className={classes.tenant}>
        <Tenant {...menu('tenant')} Menu={overlays?.TenantMenu} />
      </div>
      <Link to="/" className={classes.home} aria-label="Age verification: overview">
        <Wordmark />
      </Link>
      <div className={classes.end}>
        <PaletteButton onClick={() => onChange('palette')} />
        <ColorScheme {...menu('theme')} Menu={overlays?.ColorSchemeMenu} />
        <User {...menu('user')} Menu={overlays?.UserMenu} />
      </div>
    </header>
  )
}

/** The selected tenant; a menu for users who belong to several. */
function Tenant(props: HeaderMenuProps) {
  const { membership, memberships } = useSession()
  if (memberships.length === 0) return null
  if (membership && memberships.length === 1) {
    return (
      <Text size="sm" dir="auto" className={classes.tenantName} title={membership.tenantName}>
        {membership.tenantName}
      </Text>
    )
  }
  const name = membership?.tenantName ?? 'Choose a tenant'
  const button = (
    <Button
      variant="default"
      size="xs"
      className={classes.switcher ?? ''}
      rightSection={<Icon name="selector" size={14} />}
      aria-haspopup="listbox"
      aria-label={membership ? `Tenant: ${name}. Switch tenant` : name}
      title={name}
    >
      <Text span inherit truncate dir="auto" lh={1.4}>
        {name}
      </Text>
    </Button>
  )
  return <HeaderMenu {...props} button={button} />
}

function PaletteButton({ onClick }: { onClick: () => void }) {
  return (
    <UnstyledButton
      className={classes.palette}
      aria-haspopup="dialog"
      aria-label={`Search ${paletteKeys}`}
      onClick={onClick}
    >
      <Icon name="search" size={16} />
      <span className={classes.paletteLabel}>
        Search <kbd className={classes.key}>{paletteKeys}</kbd>
      </span>
    </UnstyledButton>
  )
}

function ColorScheme(props: HeaderMenuProps) {
  const { label, icon } = schemes[useMantineColorScheme().colorScheme]
  const button = <HeaderButton icon={icon} aria-haspopup="menu" aria-label={`Theme: ${label}`} />
  return <HeaderMenu {...props} button={button} />
}

function User(props: HeaderMenuProps) {
  const { name } = useSignIn()
  const button = (
    <UnstyledButton className={classes.user} aria-haspopup="menu" aria-label={`Signed in as ${name}`}>
      <Icon name="user-circle" size={20} stroke={1.7} />
      <span className={classes.userName}>{name}</span>
    </UnstyledButton>
  )
  return <HeaderMenu {...props} button={button} />
}

interface HeaderButtonProps
  extends ActionIconProps,
    Omit<ButtonHTMLAttributes<HTMLButtonElement>, keyof ActionIconProps> {
  icon: IconName
  'aria-label': string
  ref?: Ref<HTMLButtonElement>
}

function HeaderButton({ icon, ...others }: HeaderButtonProps) {
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" {...others}>
      <Icon name={icon} size={20} stroke={1.7} />
    </ActionIcon>
  )
}
