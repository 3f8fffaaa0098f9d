import './theme/mantine-styles.ts'
import './theme/tokens.css'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { loadConfig } from './config/config.ts'
import { ConfigContext } from './config/config-context.ts'
import { arrive } from './sign-in/arrive.ts'
import { createSignIn } from './sign-in/create-sign-in.ts'
import { SignInContext } from './sign-in/sign-in-context.ts'
import { SignInFailed } from './sign-in/sign-in-failed.tsx'
import { SigningIn } from './sign-in/sign-in-page.tsx'
import { SignedOut } from './sign-in/signed-out.tsx'
import { createUserManager } from './sign-in/user-manager.ts'
import { Themed } from './theme/themed.tsx'

const root = createRoot(document.getElementById('root')!)
render(<SigningIn />)
start().catch(error => render(<SignInFailed error={error} />))

/** Reads the configuration, signs in, and only then shows the dashboard. */
async function start(): Promise<void> {
  const config = await loadConfig()
  const manager = createUserManager(config)
  const arrival = await arrive(manager)
  if (arrival.kind === 'signed-out') render(<SignedOut />)
  if (arrival.kind !== 'signed-in') return
  render(
    <ConfigContext value={config}>
      <SignInContext value={createSignIn(manager, arrival.user)}>
        <App />
      </SignInContext>
    </ConfigContext>,
  )
}

function render(content: ReactNode): void {
  root.render(
    <StrictMode>
      <Themed>{content}</Themed>
    </StrictMode>,
  )
}
