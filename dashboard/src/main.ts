import type { Config } from './config.ts'
import { callbackPath } from './sign-in/authorization.ts'
import { wasSignedIn } from './sign-in/silent-sign-in.ts'
import { startSignIn } from './sign-in/start-sign-in.ts'
import './theme/page.css'

/**
 * The first script of the page, which renders nothing: it signs in, and leaves the page before anything larger is
 * loaded if the issuer has to ask the user. Frames and windows that only pass on a response of the issuer load nothing
 * more either.
 */
const config: Config = JSON.parse(document.getElementById('config')!.textContent)
const isTopLevel = window.parent === window && window.opener === null
const loadApp = () => import('./render.tsx').catch(explainImport)

start()

/** Not awaited: the chunk of the app imports from this one, and would wait for it. */
async function start(): Promise<void> {
  try {
    // Old web views have null in their place.
    if (!localStorage || !sessionStorage || !window.BroadcastChannel) throw new DOMException('', 'SecurityError')
    if (isTopLevel && (wasSignedIn() || window.location.pathname === callbackPath)) showLoading()
    await signIn()
  } catch (error) {
    console.error(error)
    const root = document.getElementById('root')!
    root.innerHTML =
      '<p class="signing-in" role="alert"></p><p class="slow-start" data-now><a href="">Load the page again</a></p>'
    root.firstElementChild!.textContent = explainStart(error)
  }
}

function explainStart(error: unknown): string {
  if (error instanceof DOMException && error.name === 'SecurityError') {
    return 'The dashboard needs cookies and site data, which your browser blocks here. Allow them for this site.'
  }
  return `The dashboard could not be loaded: ${error instanceof Error ? error.message : error}.`
}

function showLoading(): void {
  loadApp().then(
    ({ renderLoading }) => renderLoading(),
    // Loaded again, if it is needed.
    () => undefined,
  )
}

/** Browsers reject an import whose file they can't get with a TypeError. */
function explainImport(cause: unknown): never {
  throw cause instanceof TypeError ? new Error('a file is missing, or the connection failed', { cause }) : cause
}

/** Throws if the code of the application can't be loaded or begun. */
async function signIn(): Promise<void> {
  let result: Awaited<ReturnType<typeof startSignIn>>
  try {
    result = await startSignIn(config)
  } catch (error) {
    return (await loadApp()).renderSignInFailed(error)
  }
  if (result === 'leaving') return
  const app = await loadApp()
  if (result === 'signed-out') app.renderSignedOut()
  else app.renderDashboard(config, result)
}
