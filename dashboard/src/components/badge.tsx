import { Badge as MantineBadge } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './badge.module.css'

export type Tone = 'approved' | 'denied' | 'rejected' | 'waiting' | 'attention' | 'neutral'

/** On a grid of 12. Each tone has a shape of its own, which needs no colour vision. */
const shapes: Record<Tone, string> = {
  approved: 'M2 6a4 4 0 1 0 8 0a4 4 0 1 0 -8 0',
  denied: 'M3 1.5L6 4.5L9 1.5L10.5 3L7.5 6L10.5 9L9 10.5L6 7.5L3 10.5L1.5 9L4.5 6L1.5 3Z',
  rejected: 'M6 1L11 6L6 11L1 6Z',
  waiting: 'M1.5 6a4.5 4.5 0 1 1 9 0a4.5 4.5 0 1 1 -9 0M3.5 6a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0',
  attention: 'M6 1L11.5 10.5H0.5Z',
  neutral: 'M2.5 2.5H9.5V9.5H2.5Z',
}

/** A state as a word. Only what somebody should look at has a coloured background; the shape repeats what the word says. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <MantineBadge
      variant="transparent"
      tt="none"
      classNames={classes}
      data-tone={tone}
      leftSection={
        <svg aria-hidden="true" width="12" height="12" viewBox="0 0 12 12" fillRule="evenodd">
          <path d={shapes[tone]} fill={`var(--${tone})`} />
        </svg>
      }
    >
      {children}
    </MantineBadge>
  )
}
