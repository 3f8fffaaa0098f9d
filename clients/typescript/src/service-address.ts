/** The option's URL, to which paths are added. Throws a `TypeError` that names the option if it is no http or https URL. */
export function withoutTrailingSlash(option: 'baseUrl' | 'issuer', address: string): string {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new TypeError(
      `${option} must be the http or https URL of the service, such as https://verify.example`,
    )
  return address.replace(/\/+$/, '')
}
