import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useLayoutEffect, useState } from 'react'

interface Props extends TextInputProps {
  value: string
  /** Called with the text. */
  onSettle: (text: string) => unknown
}

/** A field whose text is stored in the page's URL: when the typing pauses, and of a time only the whole. */
export function DebouncedInput({ value, onSettle, ...props }: Props) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const apply = useDebouncedCallback(onSettle, 300)
  // A layout effect, whose end is not put off until the browser has drawn.
  useLayoutEffect(() => () => apply.cancel(), [apply])
  const type: TextInputProps['onChange'] = ({ currentTarget }) => {
    setText(currentTarget.value)
    if (currentTarget.validity.valid) apply(currentTarget.value)
    else apply.cancel()
  }
  const leave: TextInputProps['onBlur'] = ({ currentTarget }) => currentTarget.validity.valid || setText(value)
  return <TextInput type="search" spellCheck={false} {...props} value={text} onChange={type} onBlur={leave} />
}
