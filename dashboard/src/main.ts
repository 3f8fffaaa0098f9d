import type { Config } from './config.ts'
import { callbackPath } from './sign-in/authorization.ts'
import { wasSignedIn } from './sign-in/sign-in-hint.ts'
import { startSignIn } from './sign-in/start-sign-in.ts'
import './theme/page.css'
import './start.css'

/**
 * The first script of the page, which renders nothing: it signs in, and leaves the page before anything larger is
 * loaded if the issuer has to ask the user. Frames and windows that only pass on a response of the issuer load nothing
 * more either.
 */
const config: Config = JSON.parse(document.getElementById('config')!.textContent)
const isTopLevel = window.parent === window && window.opener === null
const loadApp = () => import('./render.tsx')
if (isTopLevel && (wasSignedIn() || window.location.pathname === callbackPath)) {
  loadApp().then(
    ({ renderLoading }) => renderLoading(),
    // Loaded again below, if it is needed.
    () => undefined,
  )
}

start()

/** Not awaited: the chunk of the app imports from this one, and would wait for it. */
async function start(): Promise<void> {
  try {
    await signIn()
  } catch {
    document.getElementById('root')!.innerHTML =
      '<p class="signing-in" role="alert">The dashboard could not be loaded: a file is missing, or the connection failed.</p><p class="slow-start" data-now><a href="">Load the page again</a></p>'
  }
}

/** Throws if the code of the application can't be loaded. */
async function signIn(): Promise<void> {
  let result: Awaited<ReturnType<typeof startSignIn>>
  try {
    result = await startSignIn(config)
  } catch (error) {
    return (await loadApp()).renderSignInFailed(error)
  }
  if (result.kind === 'signed-in') (await loadApp()).renderDashboard(config, result.signIn)
  if (result.kind === 'signed-out') (await loadApp()).renderSignedOut()
}
