import {
  type Icon,
  IconChartBar,
  IconCreditCard,
  IconExternalLink,
  IconHistory,
  IconKey,
  IconListCheck,
  IconRoute,
  IconSettings,
} from '@tabler/icons-react'
import { NavLink } from 'react-router'
import { useConfig } from '../config.ts'
import { useTenantPath } from '../session/tenant-path.ts'
import classes from './navigation.module.css'

export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const { baseUrl } = useConfig()
  const toPath = useTenantPath()
  return (
    <nav aria-label="Dashboard" className={classes.nav}>
      <ul className={classes.list}>
        {pages.map(({ to, label, Icon }) => (
          <li key={to}>
            <NavLink to={toPath(to)} className={classes.link} {...(onNavigate && { onClick: onNavigate })}>
              <Icon size={17} stroke={1.7} aria-hidden />
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
      <a className={classes.link} href={`${baseUrl}/docs`} target="_blank" rel="noreferrer">
        <IconExternalLink size={17} stroke={1.7} aria-hidden />
        API reference
      </a>
    </nav>
  )
}

const pages: { to: string; label: string; Icon: Icon }[] = [
  { to: '/first-steps', label: 'First steps', Icon: IconRoute },
  { to: '/overview', label: 'Overview', Icon: IconChartBar },
  { to: '/verifications', label: 'Verifications', Icon: IconListCheck },
  { to: '/api-keys', label: 'API keys', Icon: IconKey },
  { to: '/settings', label: 'Settings', Icon: IconSettings },
  { to: '/billing', label: 'Billing', Icon: IconCreditCard },
  { to: '/audit-log', label: 'Audit log', Icon: IconHistory },
]
