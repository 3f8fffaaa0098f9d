/** The address of the service, to which paths are added. Throws a `TypeError` if it is no http or https URL. */
export function withoutTrailingSlash(address: string): string {
  if (!/^https?:$/.test(new URL(address).protocol))
    throw new TypeError('The address must be an http or https URL')
  return address.replace(/\/+$/, '')
}
