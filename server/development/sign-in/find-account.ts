import type { Account } from 'oidc-provider'
import type { SignInUser } from './options.ts'

/** Every subject exists; one that is not among the offered users goes by its subject. */
export function findAccount(subject: string, users: SignInUser[]): Account {
  const user = users.find(offered => offered.subject === subject)
  const email = user?.email ?? (subject.includes('@') ? subject : undefined)
  return {
    accountId: subject,
    claims: () => ({
      sub: subject,
      name: user?.name ?? subject,
      ...(email && { email, email_verified: true }),
    }),
  }
}
