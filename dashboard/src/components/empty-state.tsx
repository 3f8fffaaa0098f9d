import { Button, Group, EmptyState as MantineEmptyState } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Icon, type IconName } from './icon.tsx'
import { Page } from './page.tsx'

interface Props {
  icon: IconName
  title: string
  description: ReactNode
  /** Buttons. */
  children?: ReactNode
}

export function EmptyState({ icon, title, description, children }: Props) {
  return (
    <MantineEmptyState
      py="xl"
      icon={<Icon name={icon} size={32} stroke={1.5} />}
      title={title}
      description={description}
    >
      {children && <MantineEmptyState.Actions>{children}</MantineEmptyState.Actions>}
    </MantineEmptyState>
  )
}

interface EmptyPageProps extends Pick<Props, 'title' | 'description'> {
  /** Where its link leads; none if omitted. */
  to?: string | undefined
  link?: string
}

/** A page that says why there is nothing on it, and leads to another one. */
export function EmptyPage({ to, link, ...page }: EmptyPageProps) {
  return (
    <Page {...page}>
      {to && (
        <Group>
          <Button component={Link} to={to}>
            {link}
          </Button>
        </Group>
      )}
    </Page>
  )
}

/** Instead of a list whose filters or search match nothing. */
export function NoResults({ by = 'filters', onClear }: { by?: 'filters' | 'search'; onClear: () => void }) {
  return (
    <EmptyState icon="filter-off" title="No results" description={`Change or clear the ${by}.`}>
      <Button variant="default" onClick={onClear}>
        Clear {by}
      </Button>
    </EmptyState>
  )
}

/** Instead of a list whose filters contradict each other or mean nothing. */
export function InvalidFilters({ title, text }: { title: string; text: string }) {
  return (
    <div role="alert">
      <EmptyState icon="filter-off" title={title} description={text} />
    </div>
  )
}
