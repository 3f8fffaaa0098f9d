import type { Html } from '../html/html.ts'

/** A section of the page, listed in its contents. */
export interface Section {
  id: string
  title: string
  content: Html
}
