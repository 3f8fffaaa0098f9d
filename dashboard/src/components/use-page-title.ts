import { useDocumentTitle } from '@mantine/hooks'

/** Names the browser's tab after the page that is shown. */
export function usePageTitle(title: string): void {
  useDocumentTitle(`${title} · Age verification`)
}
