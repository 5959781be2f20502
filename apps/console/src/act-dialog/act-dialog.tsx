/**
 * The dialog of every act: its effect, the reason and, if the server requires one, a confirmation. Entered values are kept
 * while the operator confirms, and the reason also after a reload or Back, until the act is done or cancelled.
 */

import type { CallInput, Client } from '@portico/client/client'
import type { ApprovalNeeded } from '@portico/contracts/admin/second-operator'
import type { Call, Parsed } from '@portico/contracts/call'
import { MAX_REASON_LENGTH } from '@portico/contracts/limits'
import type { FieldError } from '@portico/rules/field-errors'
import { formatTime } from '@portico/rules/format'
import { FailureAlert } from '@portico/shell/failure-alert'
import { useForm } from '@portico/shell/form'
import { useReturnFocus } from '@portico/shell/return-focus'
import { useCall } from '@portico/shell/use-call'
import { AnchorButton } from '@portico/ui/anchor-button'
import { Button } from '@portico/ui/button'
import { Dialog } from '@portico/ui/dialog'
import { Stack } from '@portico/ui/stack'
import { TextArea } from '@portico/ui/text-area'
import { TextField } from '@portico/ui/text-field'
import { type ReactNode, useState } from 'react'
import { useEnvironment } from '../environment.ts'
import { objectPath } from '../routes.ts'
import { StepUpDialog, useStepUp } from '../step-up/step-up.tsx'

import { useUnsavedReason } from '../unsaved-edits.ts'
import styles from './act-dialog.module.css'

type Values = Readonly<Record<string, string>>
type Rules = Readonly<Record<string, (values: Values) => FieldError>>
type Field = ReturnType<typeof useForm<string>>['field']

/** The texts of the dialog. */
interface ActTexts {
  /** Names the object, such as 'Unlock ada@example.com?'. */
  readonly title: ReactNode
  /** The effect, including notifications. */
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
  /** The object's ID if the page has several objects, so that each has its own unsaved reason. */
  about?: string
  /** Fields beside the reason, and their rules. */
  renderFields?: (field: Field) => ReactNode
  rules?: Rules
  act: (
    client: ActClient,
    values: Values & { reason: string },
    signal: AbortSignal,
  ) => Promise<Result>
  onDone: (result: Result) => void
  onClose: () => void
}

/** A client whose calls return only when the act is done. */
type ActClient = <C extends Call>(call: C, input: CallInput<C>) => Promise<Parsed<C['answer']>>

/** The act waits for a second operator. */
class ActWaits extends Error {
  readonly request: ApprovalNeeded

  constructor(request: ApprovalNeeded) {
    super('The act waits for a second operator')
    this.request = request
  }
}

const actClient =
  (client: Client): ActClient =>
  async <C extends Call>(call: C, input: CallInput<C>) => {
    const answer: unknown = await client(call, input)
    if (call.accepted !== undefined && isApprovalNeeded(answer)) throw new ActWaits(answer)
    return answer as Parsed<C['answer']> // The rest of what the client returns.
  }

const isApprovalNeeded = (answer: unknown): answer is ApprovalNeeded =>
  (answer as { readonly outcome?: unknown } | undefined)?.outcome === 'approval-needed'

const NO_RULES: Rules = {}

const reasonError = (reason: string | undefined): FieldError =>
  reason === undefined || reason.trim() === ''
    ? 'Please enter a reason.'
    : reason.length > MAX_REASON_LENGTH
      ? `Please enter ${MAX_REASON_LENGTH} characters at most.`
      : undefined

export function ActDialog<Result>({
  texts,
  about = '',
  renderFields,
  rules = NO_RULES,
  act,
  onDone,
  onClose,
}: ActDialogProps<Result>) {
  const environment = useEnvironment()
  const { client, pending } = useStepUp(environment)
  const call = useCall(environment.reportError)
  const unsaved = useUnsavedReason(`${texts.button} ${about}`)
  useReturnFocus()
  const [waiting, setWaiting] = useState<ApprovalNeeded>()
  const { nameToEnter } = texts
  const { field, submit } = useForm<string>({
    ...rules,
    ...(nameToEnter !== undefined && {
      name: ({ name }) =>
        name?.trim() === nameToEnter ? undefined : `Please enter ${nameToEnter} to confirm.`,
    }),
    reason: ({ reason }) => reasonError(reason),
  })
  if (waiting !== undefined) return <WaitsDialog request={waiting} onClose={onClose} />
  const attempt = async (values: Values, signal: AbortSignal) => {
    try {
      const withReason = { ...values, reason: values['reason'] ?? '' }
      return { result: await act(actClient(client), withReason, signal) }
    } catch (error) {
      if (error instanceof ActWaits) return error.request
      throw error
    }
  }
  const reason = field('reason')
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
            (signal) => attempt(values, signal),
            (ended) => {
              unsaved.clear()
              if ('result' in ended) onDone(ended.result)
              else setWaiting(ended)
            },
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
            {...reason}
            label="Reason"
            defaultValue={unsaved.restored}
            onInput={(event) => {
              reason.onInput(event)
              unsaved.write(event.currentTarget.value)
            }}
            hint="Stored in the audit log with your name."
            rows={3}
            maxLength={MAX_REASON_LENGTH}
            dir="auto"
          />
          <div className={styles.buttons}>
            <Button
              kind="secondary"
              // Pressing Enter must not confirm what cannot be undone.
              data-focus-first={texts.isDestructive}
              // Its answer must not be lost.
              disabled={call.pending}
              onClick={() => {
                unsaved.clear()
                onClose()
              }}
            >
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

/** Says that the act waits for a second operator, with a link to the request. */
export function WaitsDialog({
  request: { requestUuid, expiresAt },
  onClose,
}: {
  request: Pick<ApprovalNeeded, 'requestUuid' | 'expiresAt'>
  onClose: () => void
}) {
  return (
    <Dialog open title="Waiting for a second operator" onClose={onClose}>
      <Stack gap="fields">
        <p className={styles.consequence}>
          Nothing has changed yet. Another operator with the same permission has until{' '}
          {formatTime(expiresAt)} to approve it.
        </p>
        <div className={styles.buttons}>
          <Button kind="secondary" onClick={onClose}>
            Close
          </Button>
          <AnchorButton href={objectPath('approvals', requestUuid)}>View the request</AnchorButton>
        </div>
      </Stack>
    </Dialog>
  )
}
