import { Link, type To } from 'react-router'
import classes from './link-tabs.module.css'

interface Tab {
  label: string
  to: To
  isCurrent: boolean
}

/** What is shown below is chosen by the page's URL. `label` is for screen readers. */
export function LinkTabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav aria-label={label} className={classes.tabs}>
      {tabs.map(tab => (
        <Link key={tab.label} to={tab.to} aria-current={tab.isCurrent ? 'page' : undefined}>
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}
