import { useLocation, useNavigate } from 'react-router'

/** A query string with another value of a parameter, or without it. */
export function withParameter(search: string, name: string, value = ''): string {
  const params = new URLSearchParams(search)
  params.delete(name)
  if (value) params.set(name, value)
  return params.toString()
}

/** Changes a parameter of the page's URL, without an entry in the history. */
export function useParameterChange() {
  const navigate = useNavigate()
  const { state } = useLocation()
  const options = { replace: true, preventScrollReset: true, state }
  return (name: string, value: string) =>
    navigate({ search: withParameter(window.location.search, name, value) }, options)
}
