import { CloseButton, Group } from '@mantine/core'
import type { MouseEvent as ClickEvent } from 'react'
import { useHref, useLocation } from 'react-router'
import { useCurrentLink } from '../components/current-link.ts'
import { Icon } from '../components/icon.tsx'
import { Wordmark } from '../components/wordmark.tsx'
import { useConfig } from '../config.ts'
import { useOffersFirstSteps } from '../first-steps/onboarding.ts'
import { documents, pages } from '../pages.ts'
import { useTenantPath } from '../session/session-context.ts'
import classes from './navigation.module.css'

/** Of the element around it, which a button of the header opens. */
export const navigationId = 'navigation'

export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const { baseUrl } = useConfig()
  const toPath = useTenantPath()
  const { pathname } = useLocation()
  const tenant = useHref(toPath('/')).replace(/\/$/, '')
  const { shown, follow } = useCurrentLink(pages.find(({ to }) => `${pathname}/`.startsWith(`${toPath(to)}/`))?.to)
  return (
    <nav aria-label="Dashboard" className={classes.nav}>
      <Group className={classes.top ?? ''} justify="space-between" pt="0.25rem" pb="0.5rem" pl="0.625rem">
        <Wordmark />
        <CloseButton aria-label="Close navigation" popoverTarget={navigationId} popoverTargetAction="hide" />
      </Group>
      <PageLinks
        tenant={tenant}
        current={shown}
        hasFirstSteps={useOffersFirstSteps()}
        onFollow={(event, to) => {
          follow(event, to, toPath(to))
          onNavigate()
        }}
      />
      {Object.entries(documents).map(([path, label]) => (
        <a key={path} className={classes.link} href={`${baseUrl}/${path}`} target="_blank" rel="noreferrer">
          <Icon name="external-link" size={17} stroke={1.7} />
          {label}
        </a>
      ))}
    </nav>
  )
}

interface LinksProps {
  /** What the paths of the pages follow: `/dashboard/t/{tenantId}`. */
  tenant: string
  current: string | undefined
  /** Whether the first steps are the first link. Otherwise, they are the last one. */
  hasFirstSteps?: boolean
  /** By default, the browser follows them, also without the application's router. */
  onFollow?: (event: ClickEvent<HTMLAnchorElement>, to: string) => void
}

export function PageLinks({ tenant, current, hasFirstSteps = false, onFollow }: LinksProps) {
  const [firstSteps, ...others] = pages
  return (
    <ul className={classes.list}>
      {(hasFirstSteps ? pages : [...others, firstSteps!]).map(({ to, label, icon }) => (
        <li key={to}>
          <a
            href={tenant + to}
            className={classes.link}
            aria-current={to === current ? 'page' : undefined}
            onClick={event => onFollow?.(event, to)}
          >
            <Icon name={icon} size={17} stroke={1.7} />
            {label}
          </a>
        </li>
      ))}
    </ul>
  )
}
