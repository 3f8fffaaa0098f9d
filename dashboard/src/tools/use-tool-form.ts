import type { UseMutationOptions } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useFormMutation } from '../trpc/mutations.ts'

/**
 * Pasted texts and what the service says about them, in the component's state only. Texts that are complete from the
 * beginning are submitted at once. A change drops the result.
 */
export function useToolForm<Texts extends Record<string, string>, Result, Failure>(
  initial: Texts,
  mutation: UseMutationOptions<Result, Failure, Texts>,
) {
  const [texts, setTexts] = useState(initial)
  const [result, setResult] = useState<Result>()
  const { mutate, reset, isPending, fieldErrors, formError } = useFormMutation({
    mutation,
    fields: Object.keys(initial),
    onSuccess: setResult,
  })
  const isComplete = Object.values(texts).every(text => text.trim() !== '')
  const submitInitial = useEffectEvent(() => isComplete && mutate(texts))
  useEffect(() => {
    submitInitial()
  }, [])
  return {
    result,
    formError,
    isPending,
    isComplete,
    submit: () => isComplete && mutate(texts),
    /** Props of the input of one text. */
    inputProps: (name: keyof Texts & string) => ({
      value: texts[name],
      error: fieldErrors[name],
      spellCheck: false,
      onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
        setTexts({ ...texts, [name]: value })
        setResult(undefined)
        reset()
      },
    }),
  }
}
