import { useQuery } from '@tanstack/react-query'
import { toConsoleError } from '../trpc/console-error.ts'
import { useTrpc } from '../trpc/trpc.ts'
import type { Command } from './commands.ts'
import { handOverToken, type Pasted, recognize } from './pasted.ts'

interface PastedCommands {
  commands: Command[]
  /** Instead of commands: what is looked up, or that nothing is found. */
  note: string | undefined
}

/** What to do with a pasted ID, API key or token of the selected tenant. */
export function usePastedCommands(text: string, goTo: (path: string) => unknown): PastedCommands {
  const pasted = recognize(text)
  const { verifications, apiKeys } = useTrpc()
  const id = pasted?.kind === 'id' ? pasted.id : ''
  const options = { enabled: id !== '', retry: false }
  const verification = useQuery(verifications.get.queryOptions({ verificationId: id }, options))
  const keys = useQuery(
    apiKeys.list.queryOptions({ limit: 100 }, { ...options, enabled: verification.isError }),
  )
  if (!pasted) return { commands: [], note: undefined }
  if (pasted.kind !== 'id') return { commands: [commandFor(pasted, goTo)], note: undefined }
  if (verification.data) {
    return {
      commands: [command('Open this verification', () => goTo(`/verifications/${id}`))],
      note: undefined,
    }
  }
  if (keys.data?.items.some(({ apiKeyId }) => apiKeyId === id)) {
    return { commands: [command('Open this API key', () => goTo(`/api-keys?key=${id}`))], note: undefined }
  }
  return { commands: [], note: noteFor(verification.error, keys.isSuccess) }
}

function noteFor(error: unknown, isSearched: boolean): string {
  const { code, message } = toConsoleError(error)
  if (!error || (code === 'VERIFICATION_NOT_FOUND' && !isSearched)) return 'Looking it up …'
  return code === 'VERIFICATION_NOT_FOUND'
    ? 'No verification or API key of this tenant has this ID.'
    : message || 'The service is unreachable.'
}

function commandFor(pasted: Exclude<Pasted, { kind: 'id' }>, goTo: (path: string) => unknown): Command {
  switch (pasted.kind) {
    case 'id-prefix':
      return command(`Verifications whose ID begins with ${pasted.prefix}`, () =>
        goTo(`/verifications?search=${pasted.prefix}`),
      )
    case 'api-key':
      return command('Find this key among the API keys', () => goTo('/api-keys'))
    case 'token':
      return command('Inspect this token', () => {
        handOverToken(pasted.token)
        return goTo('/tools/token')
      })
  }
}

function command(label: string, run: () => unknown): Command {
  return { id: label, label, group: 'Pasted', run }
}
