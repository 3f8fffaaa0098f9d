/** A user that the sign-in page offers. */
export interface SignInUser {
  /** The `sub` of the tokens. */
  subject: string
  name: string
  email: string
  /** What the user is good for, in a few words. */
  hint: string
}

export interface SignInOptions {
  host: string
  port: number
  /** The dashboard's public client. */
  clientId: string
  /** The `aud` of the access tokens. */
  audience: string
  redirectUris: string[]
  postLogoutRedirectUris: string[]
  /** Origins whose pages may call the provider. */
  dashboardOrigins: string[]
  users: SignInUser[]
  /** Where the signing keys stay over a restart; unset, they are new each time. */
  keysFile?: string
  /** Gets what went wrong inside; refused requests are no such thing. */
  onError?: (error: Error) => void
}
