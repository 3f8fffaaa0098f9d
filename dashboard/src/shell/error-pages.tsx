import { Button, Group, Text } from '@mantine/core'
import { IconMapQuestion } from '@tabler/icons-react'
import { Link, useRouteError } from 'react-router'
import { EmptyState } from '../components/empty-state.tsx'
import { Page } from '../components/page.tsx'

/** For a page that could not be loaded, such as after an update of the service, or that threw an error. */
export function ErrorPage() {
  const error = useRouteError()
  return (
    <Page title="Something went wrong">
      <Text>
        {error instanceof Error ? error.message : 'An unexpected error occurred.'} The dashboard may have been
        updated since you opened it. Reload the page to continue.
      </Text>
      <Group>
        <Button onClick={() => window.location.reload()}>Reload</Button>
      </Group>
    </Page>
  )
}

export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <EmptyState
        Icon={IconMapQuestion}
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
