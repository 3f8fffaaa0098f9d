import { Button, Checkbox, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from 'react-router'
import { FieldForm } from '../components/form.tsx'
import { useFormMutation } from '../components/mutations.ts'
import { Page, Section } from '../components/page.tsx'
import { TenantLink } from '../session/links.tsx'
import {
  type Provisioning,
  type TenantKind,
  tenantPath,
  useCreatableKinds,
  useSession,
} from '../session/session-context.ts'
import { useTrpc } from '../trpc/trpc.ts'

/** Also for users who belong to a tenant already: for a test tenant beside a live one, or the other way round. */
export function CreateTenantPage() {
  const { memberships } = useSession()
  const [kind] = useCreatableKinds()
  const description = kind && memberships.length > 0 && `A ${kind} tenant beside the one that you have.`
  return (
    <Page title="New tenant" description={description}>
      <CreateTenant />
    </Page>
  )
}

export function CreateTenant() {
  const { provisioning, membership } = useSession()
  const kinds = useCreatableKinds()
  if (kinds.length === 0) {
    return (
      <Section title="Join a tenant">
        <Text>
          {reasons[provisioning]} {membership && <TenantLink to="/overview">Back to the overview</TenantLink>}
        </Text>
      </Section>
    )
  }
  return (
    <Section title="Create a tenant">
      <Text>
        A tenant contains your API keys, settings and verifications. You will be its owner. If your team already has a
        tenant, ask one of its owners to invite you instead.
      </Text>
      <TenantForm kinds={kinds} />
    </Section>
  )
}

/** Why the user can't create a tenant, and what to do instead. */
const reasons: Record<Provisioning, string> = {
  open: 'You belong to a tenant of each kind that you can create. To join another one, ask one of its owners for an invitation.',
  closed:
    "Users can't create tenants on this service. Ask an owner of your team's tenant for an invitation, or the operator of this service for a new tenant.",
  limit_reached:
    'You have created as many tenants as this service allows. Ask an owner of a tenant for an invitation, or the operator of this service for a new tenant.',
}

const nameLengthMax = 200

const testExplanation =
  'Verifications are simulated, and you choose their outcomes. Keys begin with avk_test_, tokens have another issuer, and data is deleted after 30 days.'

function TenantForm({ kinds }: { kinds: TenantKind[] }) {
  const isOnlyTest = !kinds.includes('live')
  const { refresh, memberships } = useSession()
  const whyOnlyTest = memberships.length > 0 ? 'You have a live tenant.' : 'This service has no others.'
  const navigate = useNavigate()
  const provision = useFormMutation({
    mutation: useTrpc().tenant.provision.mutationOptions(),
    fields: ['name'],
    onSuccess: async ({ tenantId }) => {
      await refresh()
      await navigate(tenantPath(tenantId, '/first-steps'), { replace: true })
    },
  })
  const form = useForm({
    initialValues: { name: '', test: isOnlyTest },
    validate: { name: name => (name.trim() === '' ? 'Enter a name, such as that of your company.' : null) },
    onValuesChange: provision.reset,
  })
  return (
    <FieldForm
      onSubmit={form.onSubmit(({ name, test }) => provision.mutate({ name: name.trim(), test }))}
      error={provision.formError}
      buttons={
        <Button type="submit" loading={provision.isPending}>
          Create tenant
        </Button>
      }
    >
      <TextInput
        label="Tenant name"
        maxLength={nameLengthMax}
        {...form.getInputProps('name')}
        error={form.errors.name ?? provision.fieldErrors.name}
      />
      {kinds.includes('test') && (
        <Checkbox
          label="Test tenant"
          description={isOnlyTest ? `${whyOnlyTest} ${testExplanation}` : testExplanation}
          disabled={isOnlyTest}
          {...form.getInputProps('test', { type: 'checkbox' })}
        />
      )}
    </FieldForm>
  )
}
