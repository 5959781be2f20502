import { NOTICES } from '@portico/contracts/notices'
import { securityAnswerError } from '@portico/rules/field-errors'
import { formatPhone, phoneLink } from '@portico/rules/phone'
import { FailureAlert } from '@portico/shell/failure-alert'
import { focusHere, useForm } from '@portico/shell/form'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { Link } from '@portico/ui/link'
import { LinkButton } from '@portico/ui/link-button'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { TextField } from '@portico/ui/text-field'
import type { State } from './two-factor.flow.ts'
import type { TwoFactorViewProps } from './view-props.ts'

type AnsweringProps = TwoFactorViewProps<Extract<State, { step: 'answering' }>>

/** Answering a recovery question instead of entering a second factor. */
export function AnsweringView({ state, send, clock, supportPhone }: AnsweringProps) {
  const { asked, failure } = state
  return (
    <Stack>
      <FailureAlert failure={failure} supportPhone={supportPhone} />
      {asked === undefined && failure === undefined && (
        <Skeleton shape="field" label="Loading your recovery questions" />
      )}
      {asked === 'none' && (
        <Alert tone="warn">
          <p>{NOTICES.noRecoveryMethods}</p>
          <p>
            Call us at <Link href={phoneLink(supportPhone)}>{formatPhone(supportPhone)}</Link>.
          </p>
        </Alert>
      )}
      {asked !== undefined && asked !== 'none' && (
        <AnswerForm
          question={asked.question}
          busy={state.busy}
          onAnswer={(answer) => send({ type: 'answerSubmitted', answer })}
        />
      )}
      {state.factors.methods.length > 0 && (
        <p>
          <LinkButton onClick={() => send({ type: 'back', at: clock() })}>Back</LinkButton>
        </p>
      )}
    </Stack>
  )
}

function AnswerForm({
  question,
  busy,
  onAnswer,
}: {
  question: string
  busy: boolean
  onAnswer: (answer: string) => void
}) {
  const { field, submit } = useForm({ answer: ({ answer }) => securityAnswerError(answer) })
  return (
    <form method="post" noValidate onSubmit={submit(({ answer }) => onAnswer(answer))}>
      <Stack gap="fields">
        <TextField
          {...field('answer')}
          ref={focusHere}
          label={question}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint="Capitals, spaces and accents do not matter."
        />
        <Button type="submit" wide busy={busy} busyLabel="Checking…">
          Continue
        </Button>
      </Stack>
    </form>
  )
}
