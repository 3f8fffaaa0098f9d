import { useSearchParams } from 'react-router'
import { useClosePanel } from '../components/side-panel.tsx'

const parameter = 'key'

/** The query string that opens a key's details on this page. */
export function keySearch(search: string, apiKeyId: string): string {
  const params = new URLSearchParams(search)
  params.set(parameter, apiKeyId)
  return params.toString()
}

/** The ID of the link in the list that opens a key's details. */
export function keyLinkId(apiKeyId: string): string {
  return `api-key-${apiKeyId}`
}

/** The key whose details are open, by the page's URL. */
export function useKeyInUrl() {
  const [params] = useSearchParams()
  const rest = new URLSearchParams(params)
  rest.delete(parameter)
  return { apiKeyId: params.get(parameter) ?? undefined, close: useClosePanel({ search: rest.toString() }) }
}
