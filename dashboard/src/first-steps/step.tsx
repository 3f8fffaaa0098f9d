import { Loader, Title, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './step-list.module.css'

export type StepState = 'todo' | 'waiting' | 'done'

interface Props {
  title: string
  state: StepState
  children?: ReactNode
}

export function Step({ title, state, children }: Props) {
  return (
    <li className={classes.step}>
      <span className={classes.mark} data-state={state}>
        {state === 'done' && <IconCheck size={16} aria-hidden />}
        {state === 'waiting' && <Loader size={14} color="currentColor" aria-hidden />}
      </span>
      <div className={classes.body}>
        <Title order={2}>
          {title}
          {state === 'done' && <VisuallyHidden> (done)</VisuallyHidden>}
        </Title>
        {children}
      </div>
    </li>
  )
}
