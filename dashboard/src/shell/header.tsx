import { ActionIcon, Button, Stack, Text, UnstyledButton } from '@mantine/core'
import { Link } from 'react-router'
import { Icon } from '../components/icon.tsx'
import { Wordmark } from '../components/wordmark.tsx'
import { useSession } from '../session/session-context.ts'
import { useSignIn } from '../sign-in/sign-in-context.ts'
import { chooseScheme, type Scheme, schemes, useChosenScheme } from '../theme/chosen-scheme.ts'
import classes from './header.module.css'
import { navigationId } from './navigation.tsx'
import { paletteKeys } from './shortcuts.ts'
import { TenantMenu } from './tenant-menu.tsx'

/** Its menus are the browser's own, which are there before anything else is loaded, and cost nothing until they open. */
export function Header({ onSearch }: { onSearch: () => void }) {
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
        <TenantMenu />
      </div>
      <Link to="/" className={classes.home} aria-label="Age verification: overview">
        <Wordmark />
      </Link>
      <div className={classes.end}>
        <UnstyledButton
          className={classes.palette}
          aria-haspopup="dialog"
          aria-label={`Search ${paletteKeys}`}
          onClick={onSearch}
        >
          <Icon name="search" size={16} />
          <span className={classes.paletteLabel}>
            Search <kbd className={classes.key}>{paletteKeys}</kbd>
          </span>
        </UnstyledButton>
        <Theme />
        <User />
      </div>
    </header>
  )
}

const schemeIcons = { light: 'sun', dark: 'moon', auto: 'device-desktop' } as const

/** The browser's own list, behind an icon. */
function Theme() {
  const chosen = useChosenScheme()
  return (
    <label className={classes.theme}>
      <Icon name={schemeIcons[chosen]} size={20} stroke={1.7} />
      <select
        aria-label="Theme"
        value={chosen}
        onChange={event => chooseScheme(event.currentTarget.value as Scheme)}
      >
        {Object.entries(schemes).map(([scheme, label]) => (
          <option key={scheme} value={scheme}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}

function User() {
  const { name, email, signOut } = useSignIn()
  const { membership } = useSession()
  return (
    <>
      <UnstyledButton className={classes.user} aria-label={`Signed in as ${name}`} popoverTarget="user">
        <Icon name="user-circle" size={20} stroke={1.7} />
        <span className={classes.userName}>{name}</span>
      </UnstyledButton>
      <Stack popover="auto" id="user" className={classes.menu} gap="xs" p="sm">
        <Text size="sm" fw={600}>
          {name}
        </Text>
        {email && email !== name && <Text size="xs">{email}</Text>}
        {membership && <Text size="xs">Role: {membership.role}</Text>}
        <Button variant="default" size="xs" leftSection={<Icon name="logout" size={16} />} onClick={signOut}>
          Sign out
        </Button>
      </Stack>
    </>
  )
}
