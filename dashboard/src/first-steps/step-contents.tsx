import { Anchor, Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Timestamp } from '../components/timestamp.tsx'
import { useConfig } from '../config.ts'
import { useTenantPath } from '../session/tenant-path.ts'
import { statuses } from '../verifications/status.ts'
import { KeyStep } from './key-step.tsx'
import type { Onboarding, StepName } from './onboarding.ts'
import { SampleTabs } from './sample-tabs.tsx'

interface StepDescription {
  title: string
  Content: (onboarding: Onboarding) => ReactNode
}

const apiKey = { API_KEY: 'avk_…' }

export const steps: Record<StepName, StepDescription> = {
  key: { title: 'Create an API key', Content: KeyStep },
  start: { title: 'Start a verification', Content: StartStep },
  complete: { title: 'Go through the check', Content: CompleteStep },
  status: { title: 'Read the result', Content: StatusStep },
  validate: { title: 'Validate the token', Content: ValidateStep },
  webhook: { title: 'Get results by webhook', Content: WebhookStep },
}

function StartStep({ firstVerification }: Onboarding) {
  return (
    <Stack>
      <Text size="sm">
        Your backend sends one request for each user, stores the <b>verificationId</b> and the{' '}
        <b>sessionUrl</b> with the user's account, and redirects the user to the <b>sessionUrl</b>. Encrypt
        that URL: whoever has it can complete the verification, and a resubmission needs it again.
      </Text>
      {firstVerification && (
        <Text size="sm">
          Your first verification was started on <Timestamp at={firstVerification.createdAt} />.
        </Text>
      )}
      <SampleTabs call="start" environment={apiKey} />
    </Stack>
  )
}

function CompleteStep({ firstVerification, firstCompletedAt }: Onboarding) {
  const tenantPath = useTenantPath()
  return (
    <Stack>
      {!firstCompletedAt && (
        <Text size="sm">
          Open the <b>sessionUrl</b> from the response in a browser, and do what your user would do there. The
          verification completes when the identity provider has decided.
        </Text>
      )}
      {firstVerification && (
        <Text size="sm" component="div">
          Your first verification:{' '}
          <Anchor
            component={Link}
            to={tenantPath(`/verifications/${firstVerification.verificationId}`)}
            inherit
            underline="always"
          >
            {firstVerification.verificationId}
          </Anchor>{' '}
          ({statuses[firstVerification.status].label}: {statuses[firstVerification.status].meaning})
        </Text>
      )}
      {firstCompletedAt && (
        <Text size="sm">
          Your first result arrived on <Timestamp at={firstCompletedAt} />.
        </Text>
      )}
    </Stack>
  )
}

function StatusStep({ firstVerification }: Onboarding) {
  return (
    <Stack>
      <Text size="sm">
        Approved does not mean 18 or over: the identity check passed, and minors pass it as well. Admit users
        on <b>over18</b>, never on the status.
      </Text>
      <SampleTabs
        call="status"
        environment={{ ...apiKey, VERIFICATION_ID: firstVerification?.verificationId ?? '…' }}
      />
    </Stack>
  )
}

function ValidateStep() {
  return (
    <Stack>
      <Text size="sm">
        The result of an approved verification has a <b>token</b>, which proves it for 30 days. Store it with
        the user's account, and validate it whenever the age matters: <b>valid</b> is true for users of 18 or
        over only.
      </Text>
      <SampleTabs call="validate" environment={{ ...apiKey, TOKEN: 'eyJ…' }} />
    </Stack>
  )
}

function WebhookStep({ webhookUrlSet }: Onboarding) {
  const { baseUrl } = useConfig()
  const tenantPath = useTenantPath()
  return (
    <Stack align="flex-start">
      <Text size="sm">
        {webhookUrlSet
          ? 'We send a POST request to your webhook URL when a verification completes.'
          : 'Set a webhook URL, and we send your backend a POST request when a verification completes. Until then it has to ask for the status.'}{' '}
        <Anchor href={`${baseUrl}/docs/webhooks`} target="_blank" rel="noreferrer" inherit underline="always">
          How to receive webhooks
        </Anchor>
      </Text>
      <Button component={Link} to={tenantPath('/settings/webhook')} variant="default">
        {webhookUrlSet ? 'Webhook settings' : 'Set webhook URL'}
      </Button>
    </Stack>
  )
}
