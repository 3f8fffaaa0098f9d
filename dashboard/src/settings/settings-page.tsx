import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { Page } from '../page/page.tsx'
import classes from './settings-page.module.css'

const parts = [
  { to: '/settings', label: 'General' },
  { to: '/settings/webhook', label: 'Webhook' },
  { to: '/settings/members', label: 'Members' },
]

interface Props {
  title: string
  children: ReactNode
}

/** The frame of each part of the settings. */
export function SettingsPage({ title, children }: Props) {
  return (
    <Page title={title}>
      <nav aria-label="Settings" className={classes.parts}>
        {parts.map(({ to, label }) => (
          <NavLink key={to} to={to} end className={classes.part}>
            {label}
          </NavLink>
        ))}
      </nav>
      {children}
    </Page>
  )
}
