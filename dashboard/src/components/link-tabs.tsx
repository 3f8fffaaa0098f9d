import { Link, type To } from 'react-router'
import { useCurrentLink } from './current-link.ts'
import classes from './link-tabs.module.css'

interface Tab {
  label: string
  to: To
  isCurrent: boolean
}

/** What is shown below is chosen by the page's URL. `label` is for screen readers. */
export function LinkTabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const { shown, follow } = useCurrentLink(tabs.find(({ isCurrent }) => isCurrent)?.label)
  return (
    <nav aria-label={label} className={classes.tabs}>
      {tabs.map(({ label, to }) => (
        <Link
          key={label}
          to={to}
          aria-current={label === shown ? 'page' : undefined}
          onClick={event => follow(event, label, to)}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
