import { secondFactorCodeError } from '@portico/rules/field-errors'
import { focusHere, useForm } from '@portico/shell/form'
import { Button } from '@portico/ui/button'
import { CodeField } from '@portico/ui/code-field'
import { Stack } from '@portico/ui/stack'
import { useRef } from 'react'

export type CodeFormProps = {
  /** Names the source of the code. */
  label: string
  /** Whether to focus the field, because the code is the only thing left to enter. */
  focused?: boolean
  busy: boolean
  onSubmit: (code: string) => void
}

/** A form for a six-digit code, submitted as soon as the code is complete. */
export function CodeForm({ label, focused = false, busy, onSubmit }: CodeFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const { field, submit } = useForm({ code: ({ code }) => secondFactorCodeError(code) })
  return (
    <form ref={form} method="post" noValidate onSubmit={submit(({ code }) => onSubmit(code))}>
      <Stack gap="fields">
        <CodeField
          {...field('code')}
          ref={focused ? focusHere : null}
          label={label}
          hint="6 digits"
          onComplete={() => form.current?.requestSubmit()}
        />
        <Button type="submit" wide busy={busy} busyLabel="Checking…">
          Confirm
        </Button>
      </Stack>
    </form>
  )
}
