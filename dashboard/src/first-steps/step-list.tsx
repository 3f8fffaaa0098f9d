import type { ReactNode } from 'react'
import classes from './step-list.module.css'

export function StepList({ children }: { children: ReactNode }) {
  return <ol className={classes.list}>{children}</ol>
}
