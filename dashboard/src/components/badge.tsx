import type { ReactNode } from 'react'
import classes from './badge.module.css'

export type Tone = 'approved' | 'denied' | 'rejected' | 'waiting' | 'attention' | 'neutral'

/** A state in a word. The word says it all; the colour only helps the eye. */
export function Badge({ tone, title, children }: { tone: Tone; title?: string; children: ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone} title={title}>
      {children}
    </span>
  )
}
