declare global {
  /** Where the scroll lock of Mantine's dialogs looks for the nonce of its style element. */
  var __webpack_nonce__: string | undefined
}

/** The nonce that the page's policy allows style elements with; the server writes it into a meta element. */
export function styleNonce(): string {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
  globalThis.__webpack_nonce__ = nonce
  return nonce
}
