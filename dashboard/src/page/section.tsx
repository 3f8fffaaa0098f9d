import { Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './section.module.css'

interface Props {
  title: string
  description?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A titled part of a page, in a box of its own. */
export function Section({ title, description, actions, children }: Props) {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.head}>
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
