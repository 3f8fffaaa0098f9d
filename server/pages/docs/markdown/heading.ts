import type { Html } from '../../html/html.ts'

/** A heading that can be linked to. */
export interface Heading {
  id: string
  title: Html
  /** 2 for the parts of a page. */
  depth: number
}

/** The anchor of a heading, as Git hosts make it, so that a link works in both places. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}
