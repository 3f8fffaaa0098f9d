import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { loadCode } from './load-code.ts'

/** Imports a component that is its module's default export. */
export type Load<Props> = () => Promise<{ default: ComponentType<Props> }>

/**
 * A component whose code is loaded when it is wanted; undefined until then. Unlike with React's `lazy`, a failure leaves
 * the page as it is. The code is loaded again when it is wanted the next time.
 */
export function useLoaded<Props>(load: Load<Props>, isWanted: boolean, onFailure?: () => void) {
  const [Component, setComponent] = useState<ComponentType<Props>>()
  const isLoaded = Component !== undefined
  const fail = useEffectEvent(() => onFailure?.())
  useEffect(() => {
    if (!isWanted || isLoaded) return
    let isCurrent = true
    loadCode(load).then(
      ({ default: loaded }) => isCurrent && setComponent(() => loaded),
      () => isCurrent && fail(),
    )
    return () => {
      isCurrent = false
    }
  }, [load, isWanted, isLoaded])
  return Component
}
