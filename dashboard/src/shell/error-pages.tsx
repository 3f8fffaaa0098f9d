import { Button, Text } from '@mantine/core'
import { Link, useRouteError } from 'react-router'
import { EmptyState } from '../components/empty-state.tsx'
import { Page } from '../components/page.tsx'
import { LoadFailedPage, ReloadButton } from './load-failed-page.tsx'

/** For a page that threw an error, or whose code could not be loaded. */
export function ErrorPage() {
  const error = useRouteError()
  if (isLoadError(error)) return <LoadFailedPage />
  return (
    <Page title="Something went wrong">
      <Text size="sm">{error instanceof Error ? error.message : 'An unexpected error occurred.'}</Text>
      <ReloadButton />
    </Page>
  )
}

function isLoadError(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module|module script/i.test(error.message)
  )
}

export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <EmptyState
        icon="map-question"
        title="This page doesn't exist"
        description="The link may be outdated or mistyped."
      >
        <Button component={Link} to="/">
          Go to overview
        </Button>
      </EmptyState>
    </Page>
  )
}
