import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useTrpc } from '../trpc/trpc.ts'
import type { ServerForm } from './use-server-form.ts'

interface Props {
  label: string
  hint: string
  placeholder: string
  form: ServerForm
  /** The URL in use, which needs no check. */
  savedUrl: string | null
  /** The procedure that checks the URL while the user types. */
  check: 'checkWebhookUrl' | 'checkReturnUrl'
  readOnly: boolean
}

const typingPauseMs = 300

/** The line below the input shows the hint or the result of the check, so that nothing moves while the user types. */
export function UrlField({ check, savedUrl, hint, form, ...others }: Props) {
  const result = useUrlCheck(check, form.value.trim(), savedUrl)
  const message = form.fieldError ?? result.error
  return (
    <TextInput
      {...others}
      ref={form.input}
      type="url"
      spellCheck={false}
      autoComplete="off"
      value={form.value}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={message === undefined && result.success === undefined ? hint : undefined}
      error={message}
      success={result.success}
      onChange={event => form.change(event.currentTarget.value)}
    />
  )
}

/** Judges only what can be judged, and only the URL that is shown: nothing while the scheme is still being typed. */
function useUrlCheck(
  check: Props['check'],
  url: string,
  savedUrl: string | null,
): { error?: string; success?: string } {
  const [debouncedUrl] = useDebouncedValue(url, typingPauseMs)
  const isChecked = debouncedUrl === url && url !== (savedUrl ?? '') && !isBeginning(url)
  const { data } = useQuery(
    useTrpc().settings[check].queryOptions({ url: debouncedUrl }, { enabled: isChecked }),
  )
  if (!isChecked || !data) return {}
  return data.violation === null ? { success: 'This URL is valid.' } : { error: data.violation }
}

/** Whether this can still become any URL. */
function isBeginning(url: string): boolean {
  return 'https://'.startsWith(url.toLowerCase())
}
