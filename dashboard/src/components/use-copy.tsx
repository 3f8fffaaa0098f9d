import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'

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
  if (state === 'copied') return <IconCheck size={14} aria-hidden />
  if (state === 'failed') return <IconAlertTriangle size={14} aria-hidden />
  return <IconCopy size={14} aria-hidden />
}
