import { Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Outlet, ScrollRestoration, useMatches, useNavigation, useParams } from 'react-router'
import { tooltipContainerId } from '../components/page.tsx'
import { useOnline } from '../components/query-state.tsx'
import { useSession } from '../session/session-context.ts'
import { Banners } from './banners.tsx'
import { Header } from './header.tsx'
import { LoadOverlays, loadedOverlays } from './load-overlays.ts'
import { Navigation, navigationId } from './navigation.tsx'
import classes from './shell.module.css'
import { useShortcuts } from './shortcuts.ts'

/** The layout of every page: header, navigation and content. */
export function Shell() {
  const [opened, setOpened] = useState<'palette' | 'tenants' | 'shortcuts'>()
  const [overlays, setOverlays] = useState(loadedOverlays)
  const aside = useRef<HTMLElement>(null)
  useShortcuts(next => setOpened(opened === next || (opened === 'tenants' && next === 'palette') ? undefined : next))
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      <Header onSearch={() => setOpened('palette')} onSwitch={() => setOpened('tenants')} />
      {/* On narrow screens it opens over the page. */}
      <aside popover="auto" id={navigationId} className={classes.aside} ref={aside}>
        <Navigation onNavigate={() => aside.current?.hidePopover()} />
      </aside>
      <Main />
      {!overlays && <LoadOverlays isWanted={opened !== undefined} onLoad={setOverlays} />}
      {overlays && <overlays.Dialogs opened={opened} onClose={setOpened} />}
      {overlays && <overlays.Notifications position="bottom-right" />}
      <Notice isLoading={opened !== undefined && !overlays} />
      {/* A page that is loaded by its URL has no key of its own, and begins where it was left, or at its top. */}
      <ScrollRestoration getKey={({ key, pathname }) => (key === 'default' ? pathname : key)} />
    </div>
  )
}

/** What changes with the page: the header and the navigation are not drawn again with it. */
function Main() {
  const { membership } = useSession()
  const { tenantId } = useParams()
  const isBusy = useNavigation().state !== 'idle'
  return (
    <main id="content" className={classes.main} tabIndex={-1} ref={useFocusOnNewPage()} aria-busy={isBusy}>
      {membership && tenantId && <Banners />}
      <Outlet />
      <div id={tooltipContainerId} />
    </main>
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

/**
 * Floats above the page, so that nothing moves when the connection comes and goes. `isLoading`: the user opened something that
 * is not loaded yet.
 */
function Notice({ isLoading }: { isLoading: boolean }) {
  const isOnline = useOnline()
  const text = isOnline ? isLoading && loading : 'You are offline. What you see may be out of date.'
  return (
    <div role="status" className={classes.notice}>
      {text && (
        <Text key={text} className={classes.noticeText} data-tone="attention" data-delayed={isOnline}>
          {text}
        </Text>
      )}
    </div>
  )
}

/** The code is gone, or the browser remembers until a reload that it could not be loaded, as Firefox does. */
const loading = 'This is still loading. The dashboard may have been updated: save your changes, then reload the page.'
