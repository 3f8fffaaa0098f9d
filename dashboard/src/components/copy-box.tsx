import { Button, Text } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'
import classes from './copy-box.module.css'
import { CopyGlyph, type CopyState, useCopy } from './use-copy.tsx'

interface Props {
  value: string
  /** What is copied, as in "Copy API key". */
  label: string
  /** Source code scrolls horizontally; keys and commands wrap. */
  isCode?: boolean
  /** Moves the focus to the text, so that a screen reader reads it: for what has just been revealed. */
  takesFocus?: boolean
  onCopied?: () => void
}

/** A block of text with a copy button. If copying fails, the text is selected instead. */
export function CopyBox({ value, label, isCode = false, takesFocus = false, onCopied }: Props) {
  const text = useRef<HTMLPreElement>(null)
  const region = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (takesFocus) region.current?.focus()
  }, [takesFocus])
  const { state, copy } = useCopy(value)
  const onClick = async () => {
    const isCopied = await copy()
    if (isCopied) onCopied?.()
    else if (text.current) window.getSelection()?.selectAllChildren(text.current)
  }
  return (
    <div className={classes.root}>
      <section
        ref={region}
        className={classes.text}
        data-code={isCode}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard (WCAG 2.1.1).
        tabIndex={0}
        aria-label={`${label}, as text`}
      >
        <pre ref={text}>{value}</pre>
      </section>
      <div className={classes.footer}>
        <Button
          variant="default"
          size="xs"
          leftSection={<CopyGlyph state={state} />}
          onClick={onClick}
          aria-label={`${state === 'copied' ? 'Copied' : 'Copy'} ${label}`}
        >
          {state === 'copied' ? 'Copied' : 'Copy'}
        </Button>
        <Text size="sm" role="status" className={classes.status}>
          {statusTexts[state]}
        </Text>
      </div>
    </div>
  )
}

const statusTexts: Record<CopyState, string> = {
  idle: '',
  copied: 'Copied to clipboard.',
  failed: 'Copying failed. The text is selected: press Ctrl+C or ⌘C.',
}
