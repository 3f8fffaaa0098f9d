import { Drawer } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { VerificationDetail } from './verification-detail.tsx'

/** One verification beside the list, with an address of its own. */
export function VerificationPanel() {
  const { verificationId } = useParams()
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const shown = useLastKnown(verificationId)
  const close = () => navigate({ pathname: '/verifications', search: params.toString() })
  return (
    <Drawer
      opened={verificationId !== undefined}
      onClose={close}
      position="right"
      size="lg"
      title="Verification"
    >
      {shown && <VerificationDetail verificationId={shown} />}
    </Drawer>
  )
}

/** Keeps the content while the panel slides out. */
function useLastKnown(value: string | undefined): string | undefined {
  const [known, setKnown] = useState(value)
  useEffect(() => {
    if (value !== undefined) setKnown(value)
  }, [value])
  return value ?? known
}
