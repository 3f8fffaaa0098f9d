import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { FieldForm } from '../components/field-form.tsx'
import { focusOnMount } from '../components/focus-on-mount.ts'
import { Page, Section } from '../components/page.tsx'
import { PageTabs } from '../components/page-tabs.tsx'
import type { useToolForm } from './use-tool-form.ts'

const tabs = [
  { to: '/tools/token', label: 'Token inspector' },
  { to: '/tools/signature', label: 'Signature checker' },
]

interface Props {
  title: string
  description: string
  inputTitle: string
  form: Pick<ReturnType<typeof useToolForm>, 'submit' | 'isPending' | 'isComplete' | 'formError'>
  submitLabel: string
  /** Why the user can't use the tool; undefined if they can. */
  disabledReason?: string | undefined
  inputs: ReactNode
  /** Undefined until there is one. */
  result: ReactNode
}

/** The layout of a tool: what is pasted, and below it what the service says about it. */
export function ToolsPage({
  title,
  description,
  inputTitle,
  form,
  submitLabel,
  disabledReason,
  inputs,
  result,
}: Props) {
  return (
    <Page title={title} description={description}>
      <PageTabs label="Tools" tabs={tabs} />
      <Section title={inputTitle} description="What you paste is neither stored nor logged.">
        <FieldForm
          isWide
          onSubmit={form.submit}
          disabledReason={disabledReason}
          error={form.formError}
          buttons={
            <Button
              type="submit"
              loading={form.isPending}
              disabled={!form.isComplete || disabledReason !== undefined}
            >
              {submitLabel}
            </Button>
          }
        >
          {inputs}
        </FieldForm>
      </Section>
      {result && <Result>{result}</Result>}
    </Page>
  )
}

export const monospaceInput = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }

/** Takes the focus when it appears. */
function Result({ children }: { children: ReactNode }) {
  return (
    <div ref={focusOnMount} tabIndex={-1}>
      <Section title="Result">{children}</Section>
    </div>
  )
}
