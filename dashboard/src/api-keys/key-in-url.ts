import { useLocation, useNavigate, useSearchParams } from 'react-router'

const parameter = 'key'

/** A link's state by which closing the panel goes back, so that Back does not open it again. */
export const besideList = { opensBesideList: true }

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
  const { state } = useLocation()
  const navigate = useNavigate()
  const close = () => {
    if (state?.opensBesideList) return navigate(-1)
    const rest = new URLSearchParams(params)
    rest.delete(parameter)
    return navigate({ search: rest.toString() }, { replace: true, preventScrollReset: true })
  }
  return { apiKeyId: params.get(parameter) ?? undefined, close }
}
