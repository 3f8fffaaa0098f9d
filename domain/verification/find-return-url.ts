import { validate } from 'uuid'
import { text, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { isRetained } from '../retention.policy.ts'
import type { Rules, Scope } from '../scope.ts'

/** The path of the pages to which the provider sends users back. An id follows. */
export const returnPath = '/return'

/** Where the provider sends the user of a verification: to the service, so that it doesn't learn the tenant's site. */
export function providerReturnUrl({ baseUrl }: Rules, verificationId: string): string {
  return `${baseUrl}${returnPath}/${verificationId}`
}

/**
 * Where the service sends the user on: the tenant's return URL, with the verification's id. Undefined if the id is of no
 * verification, or of none any more, or if the tenant has no return URL now. Throws `DATABASE_ERROR`.
 */
export async function findReturnUrl(
  scope: Pick<Scope, 'pool' | 'now' | 'rules'>,
  verificationId: string,
): Promise<string | undefined> {
  if (!validate(verificationId) || !isRetained(scope, verificationId)) return undefined
  const [found] = await findReturnUrlOfTenant(scope.pool, { verificationId })
  return found && withVerificationId(found.returnUrl, verificationId.toLowerCase())
}

export const findReturnUrlOfTenant = statement({
  name: 'find-return-url',
  text: `select return_url as "returnUrl" from tenant
   where id = (select tenant_id from verification where id = :verificationId) and return_url is not null`,
  values: { verificationId: uuid },
  row: { returnUrl: text },
})

/** Replaces such a parameter. The rest of the query stays as it is, byte for byte: it can be opaque or signed. */
function withVerificationId(returnUrl: string, verificationId: string): string {
  const url = new URL(returnUrl)
  const parameters = url.search === '' ? [] : url.search.slice(1).split('&')
  const others = parameters.filter(parameter => !/^verificationId(=|$)/.test(parameter))
  url.search = [...others, `verificationId=${verificationId}`].join('&')
  return url.href
}
