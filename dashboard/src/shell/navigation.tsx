import { Text } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { NavLink } from 'react-router'
import { timeZone } from '../components/timestamp.tsx'
import { useConfig } from '../config.ts'
import { useOffersFirstSteps } from '../first-steps/onboarding.ts'
import { useTenantPath } from '../session/tenant-path.ts'
import classes from './navigation.module.css'
import { pages } from './pages.ts'

export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const { baseUrl } = useConfig()
  const toPath = useTenantPath()
  const offersFirstSteps = useOffersFirstSteps()
  const shown = pages.filter(({ to }) => to !== '/first-steps' || offersFirstSteps)
  return (
    <nav aria-label="Dashboard" className={classes.nav}>
      <ul className={classes.list}>
        {shown.map(({ to, label, Icon }) => (
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
      <Text size="xs" c="dimmed" px="0.625rem">
        Times are in {timeZone()}.
      </Text>
    </nav>
  )
}
