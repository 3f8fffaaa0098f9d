import { useState } from 'react'

export type CopyState = 'idle' | 'copied' | 'failed'

const copiedForMs = 2_500

/** Copies to the clipboard, and knows whether that worked: browsers refuse it without HTTPS or permission. */
export function useCopy(value: string) {
  const [state, setState] = useState<CopyState>('idle')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      setState('copied')
      setTimeout(() => setState('idle'), copiedForMs)
      return true
    } catch {
      setState('failed')
      return false
    }
  }
  return { state, copy }
}
