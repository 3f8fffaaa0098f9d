import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useLayoutEffect, useState } from 'react'

interface Props extends TextInputProps {
  value: string
  /** Called with the text. */
  onSettle: (text: string) => unknown
}

/** API keys, webhook secrets and tokens, of which a URL has no more than the list of keys shows. */
const secrets = /\b(avk_(?:test_\w{0,7}|(?!test_)\w{1,8})|whsec_|eyJ)[\w.-]*/g

/** A field whose text is stored in the page's URL: when the typing pauses, and of a time only the whole. */
export function DebouncedInput({ value, onSettle, ...props }: Props) {
  const [text, setText] = useState(value)
  const apply = useDebouncedCallback((typed: string) => onSettle(typed.replaceAll(secrets, '$1')), 300)
  useEffect(() => void (apply.isPending() || setText(value)), [value, apply])
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
