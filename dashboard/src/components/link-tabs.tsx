import { Link, type To } from 'react-router'
import { useCurrentLink } from './current-link.ts'
import classes from './link-tabs.module.css'

interface Tab {
  label: string
  to: To
  isCurrent: boolean
}

/** What is shown below is chosen by the page's URL. In one line, which scrolls sideways. `label` is for screen readers. */
export function LinkTabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const { shown, follow } = useCurrentLink(tabs.find(({ isCurrent }) => isCurrent)?.label)
  return (
    <nav aria-label={label} className={classes.tabs}>
      {tabs.map(({ label, to }) => (
        <Link
          key={label}
          ref={label === shown ? scrollTo : null}
          to={to}
          aria-current={label === shown ? 'page' : undefined}
          onClick={event => follow(event, label, to)}
          // Browsers leave one cut off that is visible in part.
          onFocus={({ currentTarget: tab }) => tab.matches(':focus-visible') && scrollTo(tab)}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}

/** Brings a tab into view, without a scroll of the page. A `ref` of the current one. */
function scrollTo(tab: HTMLElement | null): void {
  tab?.parentElement?.scrollTo({ left: tab.offsetLeft - tab.parentElement.clientWidth / 3 })
}
