import { createElement, type ElementType, Fragment, type Key, type ReactElement, type ReactNode } from 'react'

/*
 * What JSX calls, here and in libraries: vite.config.ts puts it in the place of `react/jsx-runtime`. A text beside others
 * gets an element of its own. React would hold such a text's node to change it later, and a browser that translates the
 * page, or an extension, has replaced that by then: the page crashes, or shows old words. An element whose only child is a
 * text is written as a whole. A component must not return a mere text; test/browser/own-browser.test.ts finds any.
 */

export { Fragment }

type Props = { children?: ReactNode }

export function jsx(type: ElementType, props: Props, key?: Key): ReactElement {
  const given = key === undefined ? props : { ...props, key }
  const { children } = props
  const isFragment = type === Fragment
  const parts: unknown = isFragment && isText(children) ? [children] : children
  if (!Array.isArray(parts) || !parts.some(isText)) return createElement(type, given)
  const isOnlyText = !isFragment && parts.every(part => isText(part) || isNothing(part))
  const separated = isOnlyText ? parts.filter(isText).join('') : separateTexts(parts)
  return createElement(type, given, separated)
}

export const jsxs = jsx

/** Texts that follow each other share an element. The other children keep their places, by which React knows them. */
function separateTexts(parts: readonly ReactNode[]): ReactNode[] {
  let text = ''
  return parts.map((part, index) => {
    if (!isText(part)) return part
    text += part
    if (isText(parts[index + 1])) return null
    const shown = text
    text = ''
    return shown === '' ? null : createElement('span', null, shown)
  })
}

function isText(part: ReactNode): part is string | number {
  return typeof part === 'string' || typeof part === 'number'
}

function isNothing(part: ReactNode): boolean {
  return part === null || part === undefined || typeof part === 'boolean'
}
