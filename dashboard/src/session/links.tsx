import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useConfig } from '../config.ts'
import { useTenantPath } from './session-context.ts'

interface Props {
  to: string
  children: ReactNode
}

/** In a text, to a page of the selected tenant, such as `/billing`. */
export function TenantLink({ to, children }: Props) {
  return (
    <Anchor component={Link} to={useTenantPath()(to)} inherit underline="always">
      {children}
    </Anchor>
  )
}

/** In a text, to a guide in a tab of its own, such as `webhooks#signatures`. */
export function DocsLink({ to, children }: Props) {
  return (
    <Anchor href={`${useConfig().baseUrl}/docs/${to}`} target="_blank" rel="noreferrer" inherit underline="always">
      {children}
    </Anchor>
  )
}
