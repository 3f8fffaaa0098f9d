import type { ReactNode } from 'react'
import classes from './fact-list.module.css'

interface Fact {
  name: string
  value: ReactNode
}

/** Names and values, side by side where there is room. */
export function FactList({ facts }: { facts: Fact[] }) {
  return (
    <dl className={classes.list}>
      {facts.map(({ name, value }) => (
        <div key={name} className={classes.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
