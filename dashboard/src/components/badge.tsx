import type { ReactNode } from 'react'
import classes from './badge.module.css'

export type Tone = 'approved' | 'denied' | 'rejected' | 'waiting' | 'attention' | 'neutral'

/** A state as a word. The colour repeats what the word says. */
export function Badge({ tone, title, children }: { tone: Tone; title?: string; children: ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone} title={title}>
      {children}
    </span>
  )
}
