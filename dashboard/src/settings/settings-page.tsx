import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { Page, usePageTitle } from '../components/page.tsx'
import { UnsavedChanges } from '../components/unsaved-changes.tsx'
import { useTenantPath } from '../session/session-context.ts'
import classes from './settings-page.module.css'

const tabs = [
  { to: '/settings', label: 'General' },
  { to: '/settings/webhook', label: 'Webhook' },
  { to: '/settings/members', label: 'Members' },
]

interface Props {
  /** Of the browser's tab. The page's own title is the same on all of them, and its tab says which one is shown. */
  title: string
  children: ReactNode
}

/** The layout of the settings pages: tabs above the content. */
export function SettingsPage({ title, children }: Props) {
  const tenantPath = useTenantPath()
  usePageTitle(title)
  return (
    <Page title="Settings">
      <nav aria-label="Settings" className={classes.tabs}>
        {tabs.map(({ to, label }) => (
          <NavLink key={to} to={tenantPath(to)} end className={classes.tab}>
            {label}
          </NavLink>
        ))}
      </nav>
      <UnsavedChanges>{children}</UnsavedChanges>
    </Page>
  )
}
