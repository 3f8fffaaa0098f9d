import { ActionIcon, Button, NativeSelect, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { Icon } from '../components/icon.tsx'
import { Wordmark } from '../components/wordmark.tsx'
import { useSession } from '../session/session-context.ts'
import { useSignIn } from '../sign-in/sign-in-context.ts'
import { chooseScheme, type Scheme, schemes, useChosenScheme } from '../theme/chosen-scheme.ts'
import classes from './header.module.css'
import { navigationId } from './navigation.tsx'
import { paletteKeys } from './shortcuts.ts'

/** A button that opens a dialog. */
const opener = { variant: 'default', size: 'xs', className: classes.outlined ?? '', 'aria-haspopup': 'dialog' } as const

interface Props {
  onSearch: () => void
  /** Lists the user's tenants. */
  onSwitch: () => void
}

/** Its menus are the browser's own, which are there before anything else is loaded, and cost nothing until they open. */
export function Header({ onSearch, onSwitch }: Props) {
  return (
    <header className={classes.header}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        className={classes.burger ?? ''}
        aria-label="Open navigation"
        popoverTarget={navigationId}
      >
        <Icon name="menu-2" size={20} stroke={1.7} />
      </ActionIcon>
      <div className={classes.tenant}>
        <Tenant onSwitch={onSwitch} />
      </div>
      <Link to="/" className={classes.home} aria-label="Age verification: overview">
        <Wordmark />
      </Link>
      <div className={classes.end}>
        <Button
          {...opener}
          leftSection={<Icon name="search" size={16} />}
          aria-label={`Search ${paletteKeys}`}
          onClick={onSearch}
        >
          <Text span inherit visibleFrom="md">
            Search <kbd className={classes.key}>{paletteKeys}</kbd>
          </Text>
        </Button>
        <User />
      </div>
    </header>
  )
}

/** The selected tenant; for users who belong to several, a button that lists them. */
function Tenant({ onSwitch }: Pick<Props, 'onSwitch'>) {
  const { membership, memberships } = useSession()
  const name = membership?.tenantName ?? 'Choose a tenant'
  if (memberships.length === 0) return null
  if (membership && memberships.length === 1) {
    return (
      <Text fw={600} truncate dir="auto" title={name}>
        {name}
      </Text>
    )
  }
  return (
    <Button
      {...opener}
      rightSection={<Icon name="selector" size={14} />}
      aria-label={membership ? `Tenant: ${name}. Switch tenant` : name}
      title={name}
      onClick={onSwitch}
    >
      <Text span inherit truncate dir="auto" lh={1.4}>
        {name}
      </Text>
    </Button>
  )
}

function User() {
  const { name, claims, signOut } = useSignIn()
  const { membership } = useSession()
  return (
    <>
      <Button
        variant="subtle"
        size="xs"
        leftSection={<Icon name="user-circle" size={20} stroke={1.7} />}
        aria-label={`Signed in as ${name}`}
        popoverTarget="user"
      >
        <Text span inherit truncate maw="10rem" visibleFrom="md">
          {name}
        </Text>
      </Button>
      <Stack popover="auto" id="user" className={classes.menu} gap="xs" p="sm">
        <Text fw={600}>{name}</Text>
        {claims.email && claims.email !== name && <Text size="xs">{claims.email}</Text>}
        {membership && <Text size="xs">Role: {membership.role}</Text>}
        <NativeSelect
          label="Theme"
          size="xs"
          value={useChosenScheme()}
          data={Object.entries(schemes).map(([value, label]) => ({ value, label }))}
          onChange={event => chooseScheme(event.currentTarget.value as Scheme)}
        />
        <Button variant="default" size="xs" leftSection={<Icon name="logout" size={16} />} onClick={signOut}>
          Sign out
        </Button>
      </Stack>
    </>
  )
}
