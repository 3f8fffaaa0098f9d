import { Button, Text } from '@mantine/core'
import { useRef } from 'react'
import classes from './copy-box.module.css'
import { CopyGlyph } from './copy-icon-button.tsx'
import { type CopyState, useCopy } from './use-copy.ts'

interface Props {
  value: string
  /** What is copied, as in "Copy API key". */
  label: string
  /** Source code keeps its lines and scrolls; keys and commands wrap. */
  isCode?: boolean
  onCopied?: () => void
}

/** Text to take along, such as a key or a command. If copying fails, it is selected and that is said. */
export function CopyBox({ value, label, isCode = false, onCopied }: Props) {
  const text = useRef<HTMLPreElement>(null)
  const { state, copy } = useCopy(value)
  const onClick = async () => {
    if (await copy()) onCopied?.()
    else if (text.current) window.getSelection()?.selectAllChildren(text.current)
  }
  return (
    <div className={classes.root}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard (WCAG 2.1.1). */}
      <section className={classes.text} data-code={isCode} tabIndex={0} aria-label={`${label}, as text`}>
        <pre ref={text}>{value}</pre>
      </section>
      <div className={classes.foot}>
        <Button
          variant="default"
          size="xs"
          leftSection={<CopyGlyph state={state} />}
          onClick={onClick}
          aria-label={`${state === 'copied' ? 'Copied' : 'Copy'} ${label}`}
        >
          {state === 'copied' ? 'Copied' : 'Copy'}
        </Button>
        <Text size="sm" role="status" className={classes.told}>
          {told[state]}
        </Text>
      </div>
    </div>
  )
}

const told: Record<CopyState, string> = {
  idle: '',
  copied: 'It is on your clipboard.',
  failed: 'Copying failed. The text is selected: press Ctrl+C or ⌘C.',
}
