import { createSafeContext } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import type { SignIn, SignInState } from './sign-in.ts'

export const [SignInContext, useSignIn] = createSafeContext<SignIn>('useSignIn must be used inside a SignInContext.')

export function useSignInState(): SignInState {
  const { subscribe, state } = useSignIn()
  return useSyncExternalStore(subscribe, state)
}
