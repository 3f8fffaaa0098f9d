import { Button, Group, Text } from '@mantine/core'
import { useRouteError } from 'react-router'
import { Page } from './page.tsx'

/** A page that could not be fetched, after an update of the service for example, or that broke. */
export function PageFailed() {
  const error = useRouteError()
  return (
    <Page title="This page could not be shown">
      <Text>
        {error instanceof Error ? error.message : 'An unexpected error occurred.'} The dashboard may have been
        updated since you opened it: load it again.
      </Text>
      <Group>
        <Button onClick={() => window.location.reload()}>Load again</Button>
      </Group>
    </Page>
  )
}
