import { useDisclosure } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router'
import { useSession } from '../session/session-context.ts'
import { tooltipsId } from '../theme/theme.ts'
import { Header } from './header.tsx'
import { Navigation } from './navigation.tsx'
import { NavigationDrawer } from './navigation-drawer.tsx'
import classes from './shell.module.css'
import { TenantBanner } from './tenant-banner.tsx'

/** The frame around every page. */
export function Shell() {
  const [navigationOpen, { open, close }] = useDisclosure()
  const { membership } = useSession()
  const busy = useNavigation().state !== 'idle'
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#content">
        Skip to the content
      </a>
      <Header onOpenNavigation={open} />
      <aside className={classes.aside}>
        <Navigation />
      </aside>
      <NavigationDrawer opened={navigationOpen} onClose={close} />
      <main id="content" className={classes.main} tabIndex={-1} ref={useFocusOnNewPage()} aria-busy={busy}>
        {membership && <TenantBanner />}
        <Outlet />
        <div id={tooltipsId} />
      </main>
      <ScrollRestoration />
    </div>
  )
}

/** After a link was followed, the keyboard goes on from the new page and a screen reader reads it. */
function useFocusOnNewPage() {
  const main = useRef<HTMLElement>(null)
  const page = useLocation().pathname.split('/').slice(0, 2).join('/')
  const shown = useRef(page)
  useEffect(() => {
    if (shown.current === page) return
    shown.current = page
    main.current?.focus({ preventScroll: true })
  }, [page])
  return main
}
