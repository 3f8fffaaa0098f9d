import { Accordion, Alert, Button, Group, Skeleton, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { Icon } from '../components/icon.tsx'
import { Page } from '../components/page.tsx'
import { QueryState } from '../components/query-state.tsx'
import { useSession } from '../session/session-context.ts'
import { useTenantPath } from '../session/tenant-path.ts'
import { CreateTenant } from './create-tenant.tsx'
import {
  type Onboarding,
  type StepName,
  stepNames,
  stepsDone,
  useFirstStepsHidden,
  usePolledOnboarding,
} from './onboarding.ts'
import { Step, type StepState } from './step.tsx'
import { steps } from './step-contents.tsx'

export function FirstStepsPage() {
  const { membership } = useSession()
  return (
    <Page title="Get started" description="From an API key to the first result in your backend.">
      {membership ? <TenantSteps key={membership.tenantId} /> : <CreateTenant />}
    </Page>
  )
}

/** The steps of a tenant. What is done is what has happened, whoever did it. */
function TenantSteps() {
  return (
    <QueryState
      query={usePolledOnboarding()}
      loading={stepNames.map(name => <Skeleton key={name} height={54} />)}
    >
      {onboarding => <Steps onboarding={onboarding} />}
    </QueryState>
  )
}

function Steps({ onboarding }: { onboarding: Onboarding }) {
  const done = stepsDone(onboarding)
  const next = stepNames.find(name => !done[name])
  const [open, setOpen] = useState<string[]>(next ? [next] : [])
  // The next step opens; those before it stay as they are, so that nothing moves away while it is read.
  useEffect(() => {
    if (next) setOpen(names => (names.includes(next) ? names : [...names, next]))
  }, [next])
  return (
    <>
      <Progress doneCount={Object.values(done).filter(isDone => isDone).length} />
      <Accordion multiple variant="separated" order={2} value={open} onChange={setOpen}>
        {stepNames.map((name, index) => {
          const { title, Content } = steps[name]
          return (
            <Step key={name} name={name} number={index + 1} title={title} state={stateOf(name, done, next)}>
              <Content {...onboarding} />
            </Step>
          )
        })}
      </Accordion>
    </>
  )
}

/** The steps that end when the service notices a request or a result. */
const awaited: readonly StepName[] = ['start', 'complete', 'status', 'validate']

function stateOf(name: StepName, done: Record<StepName, boolean>, next: StepName | undefined): StepState {
  if (done[name]) return 'done'
  return name === next && awaited.includes(name) ? 'waiting' : 'todo'
}

/** How far the tenant is, announced to screen readers, with a button that hides the page from the navigation. */
function Progress({ doneCount }: { doneCount: number }) {
  const [, setHidden] = useFirstStepsHidden()
  const navigate = useNavigate()
  const tenantPath = useTenantPath()
  const hide = () => {
    setHidden(true)
    navigate(tenantPath('/overview'))
  }
  if (doneCount === stepNames.length) {
    return (
      <Alert
        color="green"
        variant="light"
        role="status"
        icon={<Icon name="check" />}
        title="All steps are done"
        withCloseButton
        closeButtonLabel="Close the first steps"
        onClose={hide}
      >
        Your backend starts verifications, reads their results and validates tokens.
      </Alert>
    )
  }
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {doneCount} of {stepNames.length} steps done. This page follows your requests.
      </Text>
      <Button variant="subtle" size="compact-sm" onClick={hide}>
        Hide these steps
      </Button>
    </Group>
  )
}
