import './theme/mantine-styles.ts'
import './theme/tokens.css'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { ConfigContext, loadConfig } from './config.ts'
import { resolveSignIn } from './sign-in/resolve-sign-in.ts'
import { createSignIn, SignInContext } from './sign-in/sign-in-context.ts'
import { SignedOut, SignInFailed, SigningIn } from './sign-in/sign-in-page.tsx'
import { createUserManager } from './sign-in/user-manager.ts'
import { ThemeProvider } from './theme/theme-provider.tsx'

const root = createRoot(document.getElementById('root')!)
render(<SigningIn />)
start().catch(error => render(<SignInFailed error={error} />))

/** Loads the configuration and signs in before it renders the dashboard. */
async function start(): Promise<void> {
  const config = await loadConfig()
  const manager = createUserManager(config)
  const result = await resolveSignIn(manager)
  if (result.kind === 'signed-out') render(<SignedOut />)
  if (result.kind !== 'signed-in') return
  render(
    <ConfigContext value={config}>
      <SignInContext value={createSignIn(manager, result.user)}>
        <App />
      </SignInContext>
    </ConfigContext>,
  )
}

function render(content: ReactNode): void {
  root.render(
    <StrictMode>
      <ThemeProvider>{content}</ThemeProvider>
    </StrictMode>,
  )
}
