import { Button, type ButtonProps, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props extends ButtonProps {
  /** Why this can't be done now; undefined if it can. */
  obstacle: string | undefined
  onClick?: () => void
  type?: 'button' | 'submit'
  children: ReactNode
  'aria-label'?: string
}

/**
 * A button that says why it is disabled. It stays focusable, or a keyboard user would never learn the reason.
 */
export function GuardedButton({ obstacle, onClick, type = 'button', children, ...others }: Props) {
  if (obstacle === undefined) {
    return (
      <Button type={type} {...others} {...(onClick && { onClick })}>
        {children}
      </Button>
    )
  }
  return (
    <Tooltip label={obstacle}>
      <Button type="button" {...others} data-disabled aria-disabled onClick={event => event.preventDefault()}>
        {children}
      </Button>
    </Tooltip>
  )
}
