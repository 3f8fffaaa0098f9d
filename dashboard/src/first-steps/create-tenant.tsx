import { Button, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { FieldForm } from '../components/field-form.tsx'
import { Section } from '../components/page.tsx'
import { type Provisioning, useSession } from '../session/session-context.ts'
import { tenantPath } from '../session/tenant-path.ts'
import { useFormMutation } from '../trpc/mutations.ts'
import { useTrpc } from '../trpc/trpc.ts'

/** For users who belong to no tenant: what comes first. */
export function CreateTenant() {
  const { provisioning } = useSession()
  if (provisioning !== 'open') {
    return (
      <Section title="Join a tenant">
        <Text size="sm">{reasons[provisioning]}</Text>
      </Section>
    )
  }
  return (
    <Section title="Create a tenant">
      <Text size="sm">
        A tenant contains your API keys, settings and verifications. You will be its owner. If your team
        already has a tenant, ask one of its owners to invite you instead.
      </Text>
      <TenantForm />
    </Section>
  )
}

/** Why the user can't create a tenant, and what to do instead. */
const reasons: Record<Exclude<Provisioning, 'open'>, string> = {
  closed:
    "Users can't create tenants on this service. Ask an owner of your team's tenant for an invitation, or the operator of this service for a new tenant.",
  limit_reached:
    'You have created as many tenants as this service allows. Ask an owner of a tenant for an invitation, or the operator of this service for a new tenant.',
}

const nameLengthMax = 200

function TenantForm() {
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  const { refresh } = useSession()
  const navigate = useNavigate()
  const provision = useFormMutation({
    mutation: useTrpc().tenant.provision.mutationOptions(),
    fields: ['name'],
    onSuccess: async ({ tenantId }) => {
      await refresh()
      await navigate(tenantPath(tenantId, '/first-steps'), { replace: true })
    },
  })
  const submit = () => {
    if (name.trim() === '') return setMissing(true)
    provision.mutate({ name: name.trim() })
  }
  return (
    <FieldForm
      onSubmit={submit}
      disabledReason={undefined}
      error={provision.formError}
      buttons={
        <Button type="submit" loading={provision.isPending}>
          Create tenant
        </Button>
      }
    >
      <TextInput
        label="Tenant name"
        value={name}
        maxLength={nameLengthMax}
        autoComplete="organization"
        error={isMissing ? 'Enter a name, such as that of your company.' : provision.fieldErrors.name}
        onChange={event => {
          provision.reset()
          setMissing(false)
          setName(event.currentTarget.value)
        }}
      />
    </FieldForm>
  )
}
