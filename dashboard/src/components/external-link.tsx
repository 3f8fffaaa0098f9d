import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'

/** To a page beside the dashboard, in a tab of its own. */
export function ExternalLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Anchor href={href} target="_blank" rel="noreferrer" inherit underline="always">
      {children}
    </Anchor>
  )
}
