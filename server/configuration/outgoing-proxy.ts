/** Whether Node's own requests take the proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name. Others have to ask. */
export function usesOutgoingProxy(): boolean {
  return process.env.NODE_USE_ENV_PROXY === '1'
}
