import { RefusalAlert } from '../feedback/refusal-alert.tsx'
import { SignInPage } from '../sign-in/sign-in-page.tsx'

export function SessionFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <SignInPage title="The dashboard could not start">
      <RefusalAlert error={error} onRetry={onRetry} />
    </SignInPage>
  )
}
