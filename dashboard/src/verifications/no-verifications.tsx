import { Button } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import { NothingHere } from '../feedback/nothing-here.tsx'

export function NoVerifications() {
  return (
    <NothingHere
      Icon={IconListCheck}
      title="No verifications yet"
      description="They appear here as soon as your backend starts one with POST /verify/start."
    >
      <Button component={Link} to="/first-steps">
        Start the first one
      </Button>
    </NothingHere>
  )
}
