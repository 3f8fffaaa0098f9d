import { useEffect, useRef, useState } from 'react'
import { Outlet, ScrollRestoration, useMatches, useNavigation, useParams } from 'react-router'
import { startTypingAhead, takeTypedAhead } from '../palette/typed-ahead.ts'
import { useSession } from '../session/session-context.ts'
import { tooltipContainerId } from '../theme/theme.ts'
import { Banners } from './banners.tsx'
import { Header, type Overlay } from './header.tsx'
import { useOverlays } from './load-overlays.ts'
import { Navigation } from './navigation.tsx'
import { Notice } from './notice.tsx'
import classes from './shell.module.css'
import { useShortcuts } from './shortcuts.ts'

/** The layout of every page: header, navigation and content. */
export function Shell() {
  const [opened, setOpened] = useState<Overlay>()
  const overlays = useOverlays(opened !== undefined)
  const { membership } = useSession()
  const busy = useNavigation().state !== 'idle'
  const change = (next: Overlay | undefined) => {
    if (next === 'palette' && opened !== 'palette') startTypingAhead()
    if (next === undefined) takeTypedAhead()
    setOpened(next)
  }
  useShortcuts(change)
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      <Header opened={opened} onChange={change} overlays={overlays} />
      <aside className={classes.aside}>
        <Navigation />
      </aside>
      <main id="content" className={classes.main} tabIndex={-1} ref={useFocusOnNewPage()} aria-busy={busy}>
        {membership && <Banners />}
        <Outlet />
        <div id={tooltipContainerId} />
      </main>
      {overlays && <overlays.Dialogs opened={opened} onClose={() => change(undefined)} />}
      {overlays && <overlays.Notifications position="bottom-right" />}
      <Notice isLoading={opened !== undefined && !overlays} />
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
