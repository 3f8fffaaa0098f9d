import { Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, useMatches, useNavigation, useParams } from 'react-router'
import { useSession } from '../session/session-context.ts'
import { tooltipContainerId } from '../theme/theme.ts'
import { Header } from './header.tsx'
import { Navigation } from './navigation.tsx'
import classes from './shell.module.css'
import { TenantBanner } from './tenant-banner.tsx'

/** The layout of every page: header, navigation and content. */
export function Shell() {
  const [navigationOpen, { open, close }] = useDisclosure()
  const { membership } = useSession()
  const busy = useNavigation().state !== 'idle'
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      <Header onOpenNavigation={open} />
      <aside className={classes.aside}>
        <Navigation />
      </aside>
      <Drawer opened={navigationOpen} onClose={close} title="Age verification" size="17rem" returnFocus>
        <Navigation onNavigate={close} />
      </Drawer>
      <main id="content" className={classes.main} tabIndex={-1} ref={useFocusOnNewPage()} aria-busy={busy}>
        {membership && <TenantBanner />}
        <Outlet />
        <div id={tooltipContainerId} />
      </main>
      <ScrollRestoration />
    </div>
  )
}

/** Moves the focus to the heading of a new page, for keyboard and screen reader users. */
function useFocusOnNewPage() {
  const main = useRef<HTMLElement>(null)
  const { tenantId } = useParams()
  const page = `${useMatches().at(-1)?.id} ${tenantId}`
  const shown = useRef(page)
  useEffect(() => {
    if (shown.current === page) return
    shown.current = page
    main.current?.querySelector('h1')?.focus({ preventScroll: true })
  }, [page])
  return main
}
