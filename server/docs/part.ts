import type { Html } from '../html/html.ts'

/** A part of the page, reached from its contents. */
export interface Part {
  id: string
  title: string
  content: Html
}
