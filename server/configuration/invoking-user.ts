type Environment = Record<string, string | undefined>

/** The user who runs a command as another user, by sudo, doas or pkexec: the name, or the id. */
export function invokingUser({ SUDO_USER, DOAS_USER, PKEXEC_UID }: Environment): string | undefined {
  return SUDO_USER || DOAS_USER || PKEXEC_UID
}
