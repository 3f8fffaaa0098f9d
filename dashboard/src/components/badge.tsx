import { Badge as MantineBadge } from '@mantine/core'
import type { ReactNode } from 'react'

export type Tone = 'approved' | 'denied' | 'rejected' | 'waiting' | 'attention' | 'neutral'

/** A state as a word. The colour repeats what the word says. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <MantineBadge
      variant="dot"
      size="lg"
      color={`var(--${tone})`}
      tt="none"
      lts={0}
      fw={500}
      fz="0.75rem"
      h="1.375rem"
      px="0.5rem"
      c={`var(--${tone}-text)`}
      bg={`var(--${tone}-soft)`}
      bd="1px solid transparent"
    >
      {children}
    </MantineBadge>
  )
}
