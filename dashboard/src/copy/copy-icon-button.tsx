import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react'
import { type CopyState, useCopy } from './use-copy.ts'

interface Props {
  value: string
  /** What is copied, as in "Copy request id". */
  label: string
}

export function CopyIconButton({ value, label }: Props) {
  const { state, copy } = useCopy(value)
  return (
    <>
      <Tooltip label={state === 'idle' ? `Copy ${label}` : told[state]}>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Copy ${label}`} onClick={copy}>
          <CopyGlyph state={state} />
        </ActionIcon>
      </Tooltip>
      <VisuallyHidden role="status">{told[state]}</VisuallyHidden>
    </>
  )
}

export function CopyGlyph({ state }: { state: CopyState }) {
  if (state === 'copied') return <IconCheck size={14} aria-hidden />
  if (state === 'failed') return <IconAlertTriangle size={14} aria-hidden />
  return <IconCopy size={14} aria-hidden />
}

const told: Record<CopyState, string> = {
  idle: '',
  copied: 'Copied',
  failed: 'Copying failed: select the text and copy it by hand',
}
