import './theme/mantine.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, startTransition, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { Announcer } from './components/announcer.tsx'
import { type Config, ConfigContext } from './config.ts'
import { createRouter, preloadPage } from './routes.tsx'
import { removeStoredSession } from './session/stored-session.ts'
import { ShellPlaceholder } from './shell/shell-placeholder.tsx'
import { SessionEndedDialog } from './sign-in/session-ended-dialog.tsx'
import type { SignIn } from './sign-in/sign-in.ts'
import { SignInContext, useSignInState } from './sign-in/sign-in-context.ts'
import { SignedOut, SignInFailed } from './sign-in/sign-in-page.tsx'
import { ThemeProvider } from './theme/theme.tsx'
import { createQueryClient } from './trpc/trpc.ts'

/** The shell of the page that will probably be shown, while the user is signed in. */
export function renderLoading(): void {
  if (!root) render(<ShellPlaceholder />)
  preloadPage(window.location.pathname)
}

/** Call this after the sign-in, which restores the URL that the router reads. */
export function renderDashboard(config: Config, signIn: SignIn): void {
  holdEscape(() => signIn.state() !== 'signed-in')
  signIn.subscribe(() => signIn.state() === 'signed-out' && removeStoredSession())
  render(
    <ConfigContext value={config}>
      <SignInContext value={signIn}>
        <App />
      </SignInContext>
    </ConfigContext>,
  )
}

export function renderSignedOut(): void {
  renderAlone(<SignedOut />)
}

export function renderSignInFailed(error: unknown): void {
  renderAlone(<SignInFailed error={error} />)
}

/** Nothing else is loaded that the typeface could keep waiting. */
function renderAlone(page: ReactNode): void {
  document.documentElement.dataset.typeface = 'loaded'
  render(page)
}

let root: Root | undefined

function render(content: ReactNode): void {
  root ??= createRoot(document.getElementById('root')!)
  const target = root
  // In slices, between which the browser draws and reacts.
  startTransition(() =>
    target.render(
      <ThemeProvider>
        {content}
        <Announcer />
      </ThemeProvider>,
    ),
  )
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

/** The dashboard of a signed-in user, until they sign out in this tab or another one. */
function App() {
  const [router] = useState(createRouter)
  const [queryClient] = useState(() => createQueryClient(() => undefined))
  if (useSignInState() === 'signed-out') return <SignedOut />
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <SessionEndedDialog />
    </QueryClientProvider>
  )
}
