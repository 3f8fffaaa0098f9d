import { ActionIcon, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { announce } from './announcer.tsx'
import { Icon } from './icon.tsx'

interface Props {
  value: string
  /** What is copied, as in "Copy request ID". */
  label: string
}

/** An ID with its copy button. */
export function CopyableText({ value, label }: Props) {
  return (
    <Group component="span" display="inline-flex" gap="0.25rem" wrap="nowrap" maw="100%">
      <Text component="code" translate="no" fz="0.8125rem" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {value}
      </Text>
      <CopyIconButton value={value} label={label} />
    </Group>
  )
}

export function CopyIconButton({ value, label }: Props) {
  const { state, copy } = useCopy(value)
  const onClick = async () => announce(statusTexts[(await copy()) ? 'copied' : 'failed'])
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="1.5rem"
      aria-label={`Copy ${label}`}
      title={statusTexts[state] || `Copy ${label}`}
      onClick={onClick}
    >
      <CopyGlyph state={state} />
    </ActionIcon>
  )
}

const statusTexts: Record<CopyState, string> = {
  idle: '',
  copied: 'Copied',
  failed: 'Copying failed. Select the text and copy it manually.',
}

type CopyState = 'idle' | 'copied' | 'failed'

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
