import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'

interface Props extends TextInputProps {
  value: string
  /** Called with the text. */
  onSettle: (text: string) => unknown
}

/** API keys, webhook secrets and tokens, of which a URL has no more than the list of keys shows. */
const secrets = /\b(avk_(?:test_\w{0,7}|(?!test_)\w{1,8})|whsec_|eyJ)[\w.-]*/g

/**
 * A field whose value is in the page's URL. It keeps what is typed, stores it when the typing pauses, and says why it doesn't
 * when it is left: a time that is not whole, or in no calendar. React doesn't control it: Firefox would clear what is not whole.
 */
export function DebouncedInput({ value, onSettle, error, ...props }: Props) {
  const [first] = useState(value)
  const [fault, setFault] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const stored = useRef<string>(undefined)
  const apply = useDebouncedCallback((typed: string) => {
    stored.current = typed
    onSettle(typed.replaceAll(secrets, '$1'))
  }, 300)
  useEffect(() => {
    // What comes back from the URL replaces nothing that was typed since.
    if (value !== stored.current && !apply.isPending()) field.current!.value = value
    stored.current = undefined
  }, [value, apply])
  // A layout effect, whose end is not put off until the browser has drawn.
  useLayoutEffect(() => () => apply.cancel(), [apply])
  const type: TextInputProps['onChange'] = ({ currentTarget }) => {
    setFault('')
    if (currentTarget.validity.valid) apply(currentTarget.value)
    else apply.cancel()
  }
  const leave: TextInputProps['onBlur'] = ({ currentTarget }) => setFault(currentTarget.validationMessage)
  const events = { onChange: type, onBlur: leave, error: fault || error }
  return <TextInput type="search" spellCheck={false} {...props} {...events} ref={field} defaultValue={first} />
}
