import { Tooltip } from '@mantine/core'
import type { ReactNode, RefObject } from 'react'
import '../theme/overlay-styles.ts'
import { tooltipContainerId } from '../theme/theme.ts'

export interface TooltipBubbleProps {
  target: RefObject<HTMLElement | null>
  label: ReactNode
}

/** The open tooltip of an element. A default export, so that `useLoaded` can load it. */
export default function TooltipBubble({ target, label }: TooltipBubbleProps) {
  return (
    <Tooltip
      opened
      target={target}
      label={label}
      withArrow
      multiline
      maw={320}
      portalProps={{ target: `#${tooltipContainerId}` }}
    />
  )
}
