import { Anchor, type AnchorProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { RowLink } from './row-link.tsx'
import { besideList, useClosePanel, useFocusAfterClosing } from './side-panel.tsx'
import { useParameterChange, withParameter } from './url-parameter.ts'

/** A panel that a parameter of the page's URL opens: `?key=` and the ID of what it shows. */
export function useParameterPanel(parameter: string) {
  const [params] = useSearchParams()
  const change = useParameterChange()
  const close = useClosePanel({ search: withParameter(String(params), parameter) })
  const id = params.get(parameter) ?? undefined
  useFocusAfterClosing(id && linkIdOf(parameter, id))
  return { id, close, show: (other: string) => change(parameter, other) }
}

interface Props extends AnchorProps {
  parameter: string
  id: string
  title?: string
  children: ReactNode
}

/** The link of a table's row that opens it. */
export function ParameterPanelLink({ parameter, id, ...props }: Props) {
  const navigate = useNavigate()
  const toHref = ({ search }: { search: string }) => `?${withParameter(search, parameter, id)}`
  const open = () => navigate(toHref(window.location), besideList)
  const href = toHref(useLocation())
  return <Anchor component={RowLink} id={linkIdOf(parameter, id)} href={href} onOpen={open} inherit {...props} />
}

const linkIdOf = (parameter: string, id: string) => `${parameter}-${id}`
