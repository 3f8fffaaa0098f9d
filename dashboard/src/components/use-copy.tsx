import { useState } from 'react'
import { Icon } from './icon.tsx'

export type CopyState = 'idle' | 'copied' | 'failed'

const copiedDurationMs = 2_500

/** Copies to the clipboard. Browsers reject this without HTTPS or permission; then the state is `failed`. */
export function useCopy(value: string) {
  const [state, setState] = useState<CopyState>('idle')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      setState('copied')
      setTimeout(() => setState('idle'), copiedDurationMs)
      return true
    } catch {
      setState('failed')
      return false
    }
  }
  return { state, copy }
}

export function CopyGlyph({ state }: { state: CopyState }) {
  if (state === 'copied') return <Icon name="check" size={14} />
  if (state === 'failed') return <Icon name="alert-triangle" size={14} />
  return <Icon name="copy" size={14} />
}
