import { ActionIcon, Group, Text, Tooltip } from '@mantine/core'
import { announce } from './announcer.tsx'
import { CopyGlyph, type CopyState, useCopy } from './use-copy.tsx'

interface Props {
  value: string
  /** What is copied, as in "Copy request ID". */
  label: string
}

/** An ID with its copy button. */
export function CopyableText({ value, label }: Props) {
  return (
    <Group component="span" display="inline-flex" gap="0.25rem" wrap="nowrap" maw="100%">
      <Text component="code" fz="0.8125rem" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
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
    <Tooltip label={state === 'idle' ? `Copy ${label}` : statusTexts[state]}>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Copy ${label}`} onClick={onClick}>
        <CopyGlyph state={state} />
      </ActionIcon>
    </Tooltip>
  )
}

const statusTexts: Record<CopyState, string> = {
  idle: '',
  copied: 'Copied',
  failed: 'Copying failed. Select the text and copy it manually.',
}
