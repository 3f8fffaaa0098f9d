import type { Command } from './commands.ts'

/** What to do with a pasted ID, API key or token, by its form. */
export function pastedCommands(text: string, goTo: (path: string) => unknown): Command[] {
  const pasted = text.trim()
  const command = (label: string, path: string): Command => {
    return { id: label, label, group: 'Pasted', run: () => goTo(path) }
  }
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(pasted)) {
    const id = pasted.toLowerCase()
    return [
      command('Open the verification with this ID', `/verifications/${id}`),
      command('Open the API key with this ID', `/api-keys?key=${id}`),
    ]
  }
  if (/^[\da-f]{8}(-[\da-f-]{0,27})?$/i.test(pasted)) {
    const prefix = pasted.toLowerCase()
    return [command(`Verifications whose ID begins with ${prefix}`, `/verifications?search=${prefix}`)]
  }
  if (pasted.startsWith('avk_')) return [command('Find this key among the API keys', '/api-keys')]
  if (!/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(pasted)) return []
  const inspect = command('Inspect this token', '/tools/token')
  const run = () => {
    handedOver = pasted
    return inspect.run()
  }
  return [{ ...inspect, run }]
}

/** A token for the next page, which is neither in its URL nor in the history. */
let handedOver: string | undefined

/** The token that was passed on, once. */
export function takeToken(): string {
  const token = handedOver ?? ''
  handedOver = undefined
  return token
}
