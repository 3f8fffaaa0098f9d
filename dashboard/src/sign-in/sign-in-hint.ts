const storageKey = 'age-verification.signed-in'

/** Whether this browser was signed in before: then the issuer probably needs no user, and the dashboard loads early. */
export function wasSignedIn(): boolean {
  return localStorage.getItem(storageKey) !== null
}

export function rememberSignIn(isSignedIn: boolean): void {
  if (isSignedIn) localStorage.setItem(storageKey, 'true')
  else localStorage.removeItem(storageKey)
}
