import { NavLink } from 'react-router'
import { useTenantPath } from '../session/tenant-path.ts'
import classes from './page-tabs.module.css'

interface Props {
  /** For screen readers. */
  label: string
  tabs: { to: string; label: string }[]
}

/** Links between the pages of one subject. */
export function PageTabs({ label, tabs }: Props) {
  const tenantPath = useTenantPath()
  return (
    <nav aria-label={label} className={classes.tabs}>
      {tabs.map(tab => (
        <NavLink key={tab.to} to={tenantPath(tab.to)} end className={classes.tab}>
          {tab.label}
        </NavLink>
      ))}
    </nav>
  )
}
