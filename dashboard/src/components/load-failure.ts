import { dismiss, notifyError } from './notify.ts'
import { serviceResponds } from './service-responds.ts'

const id = 'load-failure'

/** Tells the user why something that they opened could not be loaded. The page stays as it is. */
export async function notifyLoadFailure(): Promise<void> {
  const { title, message } = await reason()
  notifyError(title, message, id)
  window.addEventListener('online', dismissLoadFailure, { once: true })
}

/** Call this when what failed can be loaded again. */
export function dismissLoadFailure(): void {
  dismiss(id)
}

async function reason(): Promise<{ title: string; message: string }> {
  if (!navigator.onLine) return offline
  return (await serviceResponds()) ? missing : unreachable
}

const offline = {
  title: 'You are offline',
  message: 'This was not loaded yet. Open it again when you are online.',
}

const unreachable = {
  title: 'The service is unreachable',
  message: 'This was not loaded yet. Open it again in a moment.',
}

/** The file is gone, or the browser remembers until a reload that it could not be loaded, as Firefox does. */
const missing = {
  title: 'This could not be loaded',
  message: 'The dashboard may have been updated. Save your changes, then reload the page.',
}
