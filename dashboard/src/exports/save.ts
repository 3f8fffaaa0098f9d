import { useMutation } from '@tanstack/react-query'
import { describeError, toConsoleError } from '../components/console-error.ts'
import { notify, notifyError } from '../components/notify.ts'
import { useMembership } from '../session/session-context.ts'

const revokeAfterMs = 60_000

/** Has the browser save a file that is named by words: the tenant, what it is, and of what or when, as old data can change. */
export function save(file: Blob, words: readonly string[], extension: string): void {
  const parts = words.map(text =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, ''),
  )
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = `${parts.filter(Boolean).join('-')}.${extension}`
  link.click()
  // Browsers may begin to read it only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), revokeAfterMs)
}

export function notifyFailure(what: string, error: Error): void {
  const consoleError = toConsoleError(error)
  const { title, advice = '' } = describeError(consoleError)
  const { message, foreign } = consoleError
  notifyError(what, [message || `${title}.`, advice, foreign && `Response: ${foreign.message}`].join(' '))
}

/** Saves a file that the service has signed; `words` follow the tenant, as in "evidence 2026-11". */
export function useSignedFile() {
  const { tenantName } = useMembership()
  return useMutation({
    mutationFn: async ({ read, words }: { words: string[]; read: () => Promise<string>; saved: string }) =>
      save(new Blob([await read()], { type: 'application/jwt' }), [tenantName, ...words], 'jwt'),
    onSuccess: (_, { saved }) => notify(saved),
    onError: error => notifyFailure('The file was not saved', error),
  })
}
