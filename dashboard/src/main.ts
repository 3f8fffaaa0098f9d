import { callbackPath } from './sign-in/authorization.ts'
import { wasSignedIn } from './sign-in/sign-in-hint.ts'
import { startSignIn } from './sign-in/start-sign-in.ts'
import './theme/page.css'
import type { Config } from './config.ts'

/**
 * The first script of the page, which renders nothing: it signs in, and leaves the page before anything larger is
 * loaded if the issuer has to ask the user. Frames and windows that only pass on a response of the issuer load nothing
 * more either.
 */
const isTopLevel = window.parent === window && window.opener === null
const loadApp = () => import('./render.tsx')
if (isTopLevel && (wasSignedIn() || window.location.pathname === callbackPath)) loadApp()

start()

/** Not awaited: the chunk of the app imports from this one, and would wait for it. */
async function start(): Promise<void> {
  try {
    const config = loadConfig()
    const result = await startSignIn(() => config)
    if (result.kind === 'signed-in') (await loadApp()).renderDashboard(await config, result.signIn)
    if (result.kind === 'signed-out') (await loadApp()).renderSignedOut()
  } catch (error) {
    ;(await loadApp()).renderSignInFailed(error)
  }
}

/** Throws if the service is unreachable or does not respond with 200. */
async function loadConfig(): Promise<Config> {
  const response = await fetch(`${import.meta.env.BASE_URL}config.json`)
  if (!response.ok) throw new Error(`Loading the configuration failed with HTTP status ${response.status}.`)
  return response.json()
}
