import { NavLink } from 'react-router'
import { Icon } from '../components/icon.tsx'
import { useConfig } from '../config.ts'
import { useOffersFirstSteps } from '../first-steps/onboarding.ts'
import { pages } from '../pages.ts'
import { useTenantPath } from '../session/session-context.ts'
import classes from './navigation.module.css'

const externals = { docs: 'API reference', 'practice-statement': 'Practice statement' }

/** Of the element around it, which a button of the header opens. */
export const navigationId = 'navigation'

export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const { baseUrl } = useConfig()
  const toPath = useTenantPath()
  const offersFirstSteps = useOffersFirstSteps()
  const shown = pages.filter(({ to }) => to !== '/first-steps' || offersFirstSteps)
  return (
    <nav aria-label="Dashboard" className={classes.nav}>
      <ul className={classes.list}>
        {shown.map(({ to, label, icon }) => (
          <li key={to}>
            <NavLink to={toPath(to)} className={classes.link ?? ''} onClick={onNavigate}>
              <Icon name={icon} size={17} stroke={1.7} />
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
      {Object.entries(externals).map(([path, label]) => (
        <a key={path} className={classes.link} href={`${baseUrl}/${path}`} target="_blank" rel="noreferrer">
          <Icon name="external-link" size={17} stroke={1.7} />
          {label}
        </a>
      ))}
    </nav>
  )
}
