import { Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { type ReactNode, useId } from 'react'
import classes from './page.module.css'

interface Props {
  title: string
  description?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** Sets the document's title to that of the page. */
export function Page({ title, description, actions, children }: Props) {
  usePageTitle(title)
  return (
    <div className={classes.page}>
      <div className={classes.pageHeader}>
        <div className={classes.pageHeading}>
          <Title order={1} tabIndex={-1} className={classes.title}>
            {title}
          </Title>
          {description && (
            <Text c="dimmed" size="sm">
              {description}
            </Text>
          )}
        </div>
        {actions}
      </div>
      {children}
    </div>
  )
}

/** A titled card on a page. */
export function Section({ title, description, actions, children }: Props) {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.sectionHeader}>
        <div>
          <Title order={2} id={id}>
            {title}
          </Title>
          {description && (
            <Text c="dimmed" size="sm">
              {description}
            </Text>
          )}
        </div>
        {actions}
      </div>
      {children}
    </section>
  )
}

/** Names the browser's tab after the page that is shown. */
export function usePageTitle(title: string): void {
  useDocumentTitle(`${title} · Age verification`)
}
