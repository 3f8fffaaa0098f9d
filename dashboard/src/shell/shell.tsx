import { useDisclosure } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, useMatches, useNavigation, useParams } from 'react-router'
import { QuotaBanner } from '../billing/quota-banner.tsx'
import { useSession } from '../session/session-context.ts'
import { tooltipContainerId } from '../theme/theme.ts'
import { Header } from './header.tsx'
import { lazyDialog } from './lazy-dialog.tsx'
import { useLoadLater } from './load-later.ts'
import { Navigation } from './navigation.tsx'
import { OfflineNotice } from './offline-notice.tsx'
import classes from './shell.module.css'
import { useShortcuts } from './shortcuts.ts'
import { TenantBanner } from './tenant-banner.tsx'

const NavigationDrawer = lazyDialog(() => import('./navigation-drawer.tsx'))
const Palette = lazyDialog(() => import('../palette/palette.tsx'))
const ShortcutsDialog = lazyDialog(() => import('../palette/shortcuts-dialog.tsx'))

/** The layout of every page: header, navigation and content. */
export function Shell() {
  const [navigationOpen, navigation] = useDisclosure()
  const [paletteOpen, palette] = useDisclosure()
  const [helpOpen, help] = useDisclosure()
  const { membership } = useSession()
  const busy = useNavigation().state !== 'idle'
  useShortcuts({ onPalette: palette.open, onHelp: help.open })
  useLoadLater()
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      <Header onOpenNavigation={navigation.open} onOpenPalette={palette.open} />
      <aside className={classes.aside}>
        <Navigation />
      </aside>
      <main id="content" className={classes.main} tabIndex={-1} ref={useFocusOnNewPage()} aria-busy={busy}>
        {membership && <TenantBanner />}
        {membership && <QuotaBanner />}
        <Outlet />
        <div id={tooltipContainerId} />
      </main>
      <NavigationDrawer opened={navigationOpen} onClose={navigation.close} />
      <Palette opened={paletteOpen} onClose={palette.close} />
      <ShortcutsDialog opened={helpOpen} onClose={help.close} />
      <OfflineNotice />
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
