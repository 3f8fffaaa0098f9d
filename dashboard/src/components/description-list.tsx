import type { ReactNode } from 'react'
import classes from './description-list.module.css'

interface Item {
  name: string
  value: ReactNode
}

/** Names and values in two columns; in one column on narrow screens. */
export function DescriptionList({ items }: { items: Item[] }) {
  return (
    <dl className={classes.list}>
      {items.map(({ name, value }) => (
        <div key={name} className={classes.item}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
