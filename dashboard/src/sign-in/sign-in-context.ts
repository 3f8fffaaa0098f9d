import { createContext, useContext } from 'react'

export interface SignIn {
  /** The user as the provider names them. */
  name: string
  email: string | undefined
  subject: string
  /** A token that is good now, renewed if need be; undefined if the sign-in has ended. */
  accessToken: () => Promise<string | undefined>
  signInAgain: () => Promise<void>
  signOut: () => Promise<void>
}

export const SignInContext = createContext<SignIn | undefined>(undefined)

export function useSignIn(): SignIn {
  const signIn = useContext(SignInContext)
  if (!signIn) throw new Error('useSignIn needs a SignInContext')
  return signIn
}
