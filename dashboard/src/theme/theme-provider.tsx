import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { Announcer } from '../components/announcer.tsx'
import { cssVariables, theme } from './theme.ts'

declare global {
  /** Mantine's scroll lock reads the nonce of its style element from here. */
  var __webpack_nonce__: string | undefined
}

export function ThemeProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      cssVariablesResolver={cssVariables}
      getStyleNonce={styleNonce}
    >
      {children}
      <Announcer />
    </MantineProvider>
  )
}

/** The nonce of the content security policy for style elements; the server writes it into a meta element. */
function styleNonce(): string {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
  globalThis.__webpack_nonce__ = nonce
  return nonce
}
