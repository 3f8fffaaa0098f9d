import type { TooltipBubbleProps } from './tooltip-bubble.tsx'
import { type Load, useLoaded } from './use-loaded.ts'

export const loadTooltipBubble: Load<TooltipBubbleProps> = () => import('./tooltip-bubble.tsx')

/** A tooltip's bubble, which is left out while its code can't be loaded. */
export function LazyTooltipBubble(props: TooltipBubbleProps) {
  const TooltipBubble = useLoaded(loadTooltipBubble, true)
  return TooltipBubble && <TooltipBubble {...props} />
}
