import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useConsole } from '../console/console.ts'
import { useSession } from '../session/session-context.ts'
import { FieldForm } from '../settings/field-form.tsx'

const nameLengthMax = 200

export function ProvisionForm() {
  const [name, setName] = useState('')
  const [fault, setFault] = useState<string>()
  const { refresh, chooseTenant } = useSession()
  const provision = useMutation(
    useConsole().tenant.provision.mutationOptions({
      onSuccess: async ({ tenantId }) => {
        await refresh()
        chooseTenant(tenantId)
      },
    }),
  )
  const submit = () => {
    if (name.trim() === '') return setFault('Enter a name, such as that of your company.')
    provision.mutate({ name: name.trim() })
  }
  return (
    <FieldForm
      onSubmit={submit}
      obstacle={undefined}
      error={provision.error}
      field={
        <TextInput
          label="Name of the tenant"
          value={name}
          maxLength={nameLengthMax}
          autoComplete="organization"
          error={fault}
          onChange={event => {
            setFault(undefined)
            setName(event.currentTarget.value)
          }}
        />
      }
      buttons={
        <Button type="submit" loading={provision.isPending}>
          Create tenant
        </Button>
      }
    />
  )
}
