import { Button } from '@mantine/core'
import { IconMapQuestion } from '@tabler/icons-react'
import { Link } from 'react-router'
import { NothingHere } from '../feedback/nothing-here.tsx'
import { Page } from './page.tsx'

export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <NothingHere
        Icon={IconMapQuestion}
        title="There is no page at this address"
        description="The link may be old or mistyped."
      >
        <Button component={Link} to="/overview">
          Go to the overview
        </Button>
      </NothingHere>
    </Page>
  )
}
