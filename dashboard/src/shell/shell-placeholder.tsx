import { Anchor, Skeleton, Stack, Text } from '@mantine/core'
import { useNow } from '../components/timestamp.tsx'
import { Wordmark } from '../components/wordmark.tsx'
import { pages } from '../pages.ts'
import { tenantPath } from '../session/session-context.ts'
import { readTenantId } from '../session/stored-session.ts'
import headerClasses from './header.module.css'
import navigationClasses from './navigation.module.css'
import { PageLinks } from './navigation.tsx'
import classes from './shell.module.css'

/** The shell while the user is signed in, or while nothing is known of their tenants: it is where it will be. */
export function ShellPlaceholder() {
  return (
    <div className={classes.shell}>
      <header className={headerClasses.header}>
        <div className={headerClasses.tenant}>
          <Skeleton h="1rem" w="8rem" />
        </div>
        <span className={headerClasses.home}>
          <Wordmark />
        </span>
      </header>
      <aside className={classes.aside}>
        <Links />
      </aside>
      <main className={classes.main} aria-busy>
        <Slowness />
        <Stack gap="1.25rem" aria-hidden>
          <Skeleton h="1.75rem" w="12rem" />
          <Skeleton h="0.875rem" w="min(24rem, 80%)" />
          <Skeleton h="2.25rem" />
          <Skeleton h="0.875rem" />
          <Skeleton h="0.875rem" w="80%" />
        </Stack>
      </main>
    </div>
  )
}

function Links() {
  const { pathname } = window.location
  const tenantId = /\/t\/([^/]+)/.exec(pathname)?.[1] ?? readTenantId()
  return (
    <nav aria-label="Dashboard" className={navigationClasses.nav}>
      <PageLinks
        tenant={`/dashboard${tenantId ? tenantPath(tenantId, '') : ''}`}
        current={pages.find(({ to }) => pathname.includes(to))?.to}
      />
    </nav>
  )
}

const slowAfterMs = 10_000
const mountedAt = Date.now()

function Slowness() {
  const now = useNow(1_000)
  return (
    <Text role="status">
      {now - mountedAt > slowAfterMs && (
        <>
          The service or its sign-in provider takes longer than it should to respond. You can wait, or{' '}
          <Anchor href="" inherit underline="always">
            load the page again
          </Anchor>
          .
        </>
      )}
    </Text>
  )
}
