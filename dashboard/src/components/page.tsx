import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './page.module.css'

interface Props {
  title: string
  description?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A page's heading and the document's title, which say the same. */
export function Page({ title, description, actions, children }: Props) {
  return (
    <div className={classes.page}>
      <title>{`${title} · Age verification`}</title>
      <div className={classes.head}>
        <div className={classes.words}>
          <Title order={1}>{title}</Title>
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
