import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { Page } from '../components/page.tsx'
import { useTenantPath } from '../session/tenant-path.ts'
import classes from './settings-page.module.css'

const tabs = [
  { to: '/settings', label: 'General' },
  { to: '/settings/webhook', label: 'Webhook' },
  { to: '/settings/members', label: 'Members' },
]

interface Props {
  title: string
  children: ReactNode
}

/** The layout of the settings pages: tabs above the content. */
export function SettingsPage({ title, children }: Props) {
  const toPath = useTenantPath()
  return (
    <Page title={title}>
      <nav aria-label="Settings" className={classes.tabs}>
        {tabs.map(({ to, label }) => (
          <NavLink key={to} to={toPath(to)} end className={classes.tab}>
            {label}
          </NavLink>
        ))}
      </nav>
      {children}
    </Page>
  )
}
