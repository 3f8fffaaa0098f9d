import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import './theme/mantine-overrides.css'
import type { ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { App } from './app.tsx'
import { type Config, ConfigContext } from './config.ts'
import { ShellPlaceholder } from './shell/shell-placeholder.tsx'
import type { SignIn } from './sign-in/sign-in.ts'
import { SignInContext } from './sign-in/sign-in-context.ts'
import { SignedOut, SignInFailed } from './sign-in/sign-in-page.tsx'
import { ThemeProvider } from './theme/theme-provider.tsx'

/** The shell of the page that will probably be shown, while the user is signed in. */
export function renderLoading(): void {
  if (!root) render(<ShellPlaceholder />)
}

/** Call this after the sign-in, which restores the URL that the router reads. */
export function renderDashboard(config: Config, signIn: SignIn): void {
  holdEscape(() => signIn.state() !== 'signed-in')
  render(
    <ConfigContext value={config}>
      <SignInContext value={signIn}>
        <App />
      </SignInContext>
    </ConfigContext>,
  )
}

export function renderSignedOut(): void {
  render(<SignedOut />)
}

export function renderSignInFailed(error: unknown): void {
  render(<SignInFailed error={error} />)
}

let root: Root | undefined

function render(content: ReactNode): void {
  root ??= createRoot(document.getElementById('root')!)
  root.render(<ThemeProvider>{content}</ThemeProvider>)
}

/**
 * Keeps Escape from everything while a dialog covers the page: it would close that dialog or those beneath. Call this
 * before the page is rendered, as listeners are called in the order in which they were added.
 */
function holdEscape(isHeld: () => boolean): void {
  const hold = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isHeld()) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  window.addEventListener('keydown', hold, { capture: true })
}
