import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTrpc } from '../trpc/trpc.ts'

interface Props {
  label: string
  hint: string
  placeholder: string
  value: string
  onChange: (value: string) => void
  /** The URL in use, which needs no check. */
  savedUrl: string | null
  /** The procedure that checks the URL while the user types. */
  check: 'checkWebhookUrl' | 'checkReturnUrl'
  /** From saving the URL. */
  error: string | undefined
  readOnly: boolean
}

const typingPauseMs = 300

/** The line below the input shows the hint or the result of the check, so that nothing moves while the user types. */
export function UrlField({ check, savedUrl, hint, error, value, onChange, ...others }: Props) {
  const result = useUrlCheck(check, value.trim(), savedUrl)
  const message = error ?? result.error
  return (
    <TextInput
      {...others}
      type="url"
      spellCheck={false}
      autoComplete="off"
      value={value}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={message === undefined && result.success === undefined ? hint : undefined}
      error={message}
      success={result.success}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}

function useUrlCheck(
  check: Props['check'],
  url: string,
  savedUrl: string | null,
): { error?: string; success?: string } {
  const [debouncedUrl] = useDebouncedValue(url, typingPauseMs)
  const isNew = (candidate: string) => candidate !== '' && candidate !== savedUrl
  const { data } = useQuery({
    ...useTrpc().settings[check].queryOptions({ url: debouncedUrl }),
    enabled: isNew(debouncedUrl),
    placeholderData: keepPreviousData,
  })
  if (!isNew(url) || !data) return {}
  return data.violation === null ? { success: 'This URL is valid.' } : { error: data.violation }
}
