import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { cssVariables } from './css-variables.ts'
import { styleNonce } from './style-nonce.ts'
import { theme } from './theme.ts'

export function Themed({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      cssVariablesResolver={cssVariables}
      getStyleNonce={styleNonce}
    >
      {children}
      <Notifications position="bottom-right" />
    </MantineProvider>
  )
}
