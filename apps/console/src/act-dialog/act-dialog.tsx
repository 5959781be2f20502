/**
 * The dialog of everything that an operator changes about a person or an organization: what it does, the reason, and if
 * the server requires one, a confirmation. What was entered stays while the operator confirms.
 */
import type { Client } from '@portico/client/client'
import { REASON_LENGTH_MAXIMUM } from '@portico/contracts/limits'
import type { FieldError } from '@portico/rules/field-errors'
import { FailureAlert } from '@portico/shell/failure-alert'
import { useForm } from '@portico/shell/form'
import { useReturnFocus } from '@portico/shell/return-focus'
import { useCall } from '@portico/shell/use-call'
import { Button } from '@portico/ui/button'
import { Stack } from '@portico/ui/stack'
import { TextArea } from '@portico/ui/text-area'
import { TextField } from '@portico/ui/text-field'
import type { ReactNode } from 'react'
import { useEnvironment } from '../environment.ts'
import { StepUpDialog, useStepUp } from '../step-up/step-up.tsx'
import styles from './act-dialog.module.css'

type Values = Readonly<Record<string, string>>
type Rules = Readonly<Record<string, (values: Values) => FieldError>>
type Field = ReturnType<typeof useForm<string>>['field']

/** What an act says about itself. */
interface ActTexts {
  /** Names the object, such as 'Unlock ada@example.com?'. */
  readonly title: string
  /** What happens, also to the person. */
  readonly consequence: ReactNode
  readonly button: string
  readonly busyLabel: string
  /** Cannot be undone. */
  readonly isDestructive?: true
  /** Must be entered before a deletion. */
  readonly nameToEnter?: string
}

export type ActDialogProps<Result> = {
  texts: ActTexts
  /** Fields beside the reason, and their rules. */
  renderFields?: (field: Field) => ReactNode
  rules?: Rules
  /** Whether the server stores no reason for this. */
  act: (client: Client, values: Values & { reason: string }, signal: AbortSignal) => Promise<Result>
  onDone: (result: Result) => void
  onClose: () => void
}

const NO_RULES: Rules = {}

const reasonError = (reason: string | undefined): FieldError =>
  reason === undefined || reason.trim() === ''
    ? 'Please enter a reason.'
    : reason.length > REASON_LENGTH_MAXIMUM
      ? `Please enter ${REASON_LENGTH_MAXIMUM} characters at most.`
      : undefined

export function ActDialog<Result>({
  texts,
  renderFields,
  rules = NO_RULES,
  act,
  onDone,
  onClose,
}: ActDialogProps<Result>) {
  const environment = useEnvironment()
  const { client, pending } = useStepUp(environment)
  const call = useCall(environment.reportError)
  useReturnFocus()
  const { nameToEnter } = texts
  const { field, submit } = useForm<string>({
    ...rules,
    ...(nameToEnter !== undefined && {
      name: ({ name }) =>
        name?.trim() === nameToEnter ? undefined : `Please enter ${nameToEnter} to confirm.`,
    }),
    reason: ({ reason }) => reasonError(reason),
  })
  return (
    <StepUpDialog
      title={texts.title}
      pending={pending}
      onClose={call.pending && pending === undefined ? undefined : onClose}
    >
      <form
        method="post"
        noValidate
        onSubmit={submit((values) =>
          call.run(
            (signal) => act(client, { ...values, reason: values['reason'] ?? '' }, signal),
            onDone,
          ),
        )}
      >
        <Stack gap="fields">
          <div className={styles.consequence}>{texts.consequence}</div>
          <FailureAlert failure={call.failure} supportPhone={environment.page.supportPhone} />
          {renderFields?.(field)}
          {nameToEnter !== undefined && (
            <TextField
              {...field('name')}
              label={
                <>
                  Enter <bdi>{nameToEnter}</bdi> to confirm
                </>
              }
              autoComplete="off"
              spellCheck={false}
            />
          )}
          <TextArea
            {...field('reason')}
            label="Reason"
            hint="Stored in the audit log with your name."
            rows={3}
            maxLength={REASON_LENGTH_MAXIMUM}
            dir="auto"
          />
          <div className={styles.buttons}>
            <Button kind="secondary" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              kind={texts.isDestructive ? 'danger' : 'primary'}
              busy={call.pending}
              busyLabel={texts.busyLabel}
            >
              {texts.button}
            </Button>
          </div>
        </Stack>
      </form>
    </StepUpDialog>
  )
}
