import { Button, Text } from '@mantine/core'
import { useRef } from 'react'
import { announce } from './announcer.tsx'
import classes from './copy-box.module.css'
import { CopyGlyph, useCopy } from './copyable-text.tsx'
import { focusOnMount } from './page.tsx'

interface Props {
  value: string
  /** What is copied, as in "Copy API key". */
  label: string
  /** Source code scrolls horizontally; keys and commands wrap. */
  isCode?: boolean
  /** Moves the focus to the text, so that a screen reader reads it: for what has just been revealed. */
  takesFocus?: boolean
}

/** A block of text with a copy button. If copying fails, the text is selected instead. */
export function CopyBox({ value, label, isCode = false, takesFocus = false }: Props) {
  const text = useRef<HTMLPreElement>(null)
  const { state, copy } = useCopy(value)
  const onClick = async () => {
    if (await copy()) announce('Copied to clipboard.')
    else window.getSelection()?.selectAllChildren(text.current!)
  }
  return (
    <div className={classes.root} data-code={isCode}>
      <section
        translate="no"
        ref={takesFocus ? focusOnMount : null}
        data-autofocus={takesFocus || undefined}
        className={classes.text}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard (WCAG 2.1.1).
        tabIndex={0}
        aria-label={`${label}, as text`}
      >
        <pre ref={text}>{value}</pre>
      </section>
      <Button
        variant="default"
        size="xs"
        className={classes.copy ?? ''}
        leftSection={<CopyGlyph state={state} />}
        onClick={onClick}
        aria-label={`${state === 'copied' ? 'Copied' : 'Copy'} ${label}`}
      >
        {state === 'copied' ? 'Copied' : 'Copy'}
      </Button>
      {state === 'failed' && (
        <Text role="alert" className={classes.failed}>
          Copying failed. The text is selected: press Ctrl+C or ⌘C.
        </Text>
      )}
    </div>
  )
}
