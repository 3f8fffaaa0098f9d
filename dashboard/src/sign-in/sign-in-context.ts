import { createContext, useContext, useSyncExternalStore } from 'react'
import type { SignIn, SignInState } from './sign-in.ts'

export const SignInContext = createContext<SignIn | undefined>(undefined)

export function useSignIn(): SignIn {
  const signIn = useContext(SignInContext)
  if (!signIn) throw new Error('useSignIn must be used inside a SignInContext.')
  return signIn
}

export function useSignInState(): SignInState {
  const { subscribe, state } = useSignIn()
  return useSyncExternalStore(subscribe, state)
}
