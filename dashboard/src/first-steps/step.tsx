import { Loader, Title, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './step.module.css'

interface Props {
  title: string
  state: 'todo' | 'waiting' | 'done'
  children?: ReactNode
}

export function Step({ title, state, children }: Props) {
  return (
    <li className={classes.step}>
      <span className={classes.marker} data-state={state}>
        {state === 'done' && <IconCheck size={16} aria-hidden />}
        {state === 'waiting' && <Loader size={14} color="currentColor" aria-hidden />}
      </span>
      <div className={classes.content}>
        <Title order={2}>
          {title}
          {state === 'done' && <VisuallyHidden> (done)</VisuallyHidden>}
        </Title>
        {children}
      </div>
    </li>
  )
}

export function StepList({ children }: { children: ReactNode }) {
  return <ol className={classes.list}>{children}</ol>
}
