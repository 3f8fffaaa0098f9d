import type { JWK } from 'jose'
import type { LocalServerOptions } from '../local-requests.ts'

/** A user that the sign-in page offers. */
export interface SignInUser {
  /** The `sub` claim of the tokens. */
  subject: string
  name: string
  email: string
  /** The user's role, in a few words. */
  hint: string
}

export interface SignInOptions extends LocalServerOptions {
  /** The dashboard's public client. */
  clientId: string
  /** The `aud` claim of the access tokens. */
  audience: string
  redirectUris: string[]
  postLogoutRedirectUris: string[]
  /** Origins that CORS allows. */
  dashboardOrigins: string[]
  users: SignInUser[]
  /** Stores the signing keys across restarts; without it, each start generates new ones. */
  keysFile?: string
  /** Called with unexpected errors; an invalid request is not one. */
  onError?: (error: Error) => void
}

export interface SignInKeys {
  /** Signs the tokens: a private key for ES256. */
  signingKey: JWK
  /** Signs the cookies. */
  cookieKey: string
}
