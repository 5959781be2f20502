import { secondFactorCodeError } from '@portico/rules/field-errors'
import { focusHere, useForm } from '@portico/shell/form'
import { Button } from '@portico/ui/button'
import { CodeField } from '@portico/ui/code-field'
import { Stack } from '@portico/ui/stack'
import { useRef } from 'react'

/** What a form for a code of six digits is given. */
export type CodeFormProps = {
  /** Where the code is read. */
  label: string
  /** Whether the code is all that is left to do, so that the field has the focus. */
  focused?: boolean
  busy: boolean
  give: (code: string) => void
}

/** Takes a code of six digits, and gives it as soon as it is whole. */
export function CodeForm({ label, focused = false, busy, give }: CodeFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const { field, submit } = useForm({ code: ({ code }) => secondFactorCodeError(code) })
  return (
    <form ref={form} method="post" noValidate onSubmit={submit(({ code }) => give(code))}>
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
