import { newAnswerError, questionError } from '@portico/rules/field-errors'
import { FailureAlert } from '@portico/shell/failure-alert'
import { useForm } from '@portico/shell/form'
import { Button } from '@portico/ui/button'
import { SelectField } from '@portico/ui/select-field'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { TextField } from '@portico/ui/text-field'
import type { Event, State } from './questions.flow.ts'
import styles from './questions.module.css'

export type QuestionsViewProps = {
  state: Exclude<State, { step: 'left' }>
  send: (event: Event) => void
  supportPhone: string
}

/** Three questions from the catalogue, each with an answer. */
export function QuestionsView({ state, send, supportPhone }: QuestionsViewProps) {
  switch (state.step) {
    case 'reading':
      return <Skeleton shape="field" count={3} label="Reading the questions" />
    case 'stopped':
      return (
        <Stack>
          <FailureAlert failure={state.failure} supportPhone={supportPhone} />
          <Button wide onClick={() => send({ type: 'retried' })}>
            Try again
          </Button>
        </Stack>
      )
    case 'choosing':
      return (
        <Stack>
          <p>
            If you lose your second factor, we will ask you one of these. New answers replace your
            earlier ones and are never shown again.
          </p>
          <FailureAlert failure={state.failure} supportPhone={supportPhone} />
          <QuestionsForm state={state} send={send} />
        </Stack>
      )
  }
}

const NAMES = ['first', 'second', 'third'] as const
const LABELS = { first: 'First', second: 'Second', third: 'Third' } as const
type Name = (typeof NAMES)[number]
type FieldName = Name | `${Name}Answer`

function QuestionsForm({
  state: { catalogue, busy },
  send,
}: {
  state: Extract<State, { step: 'choosing' }>
  send: (event: Event) => void
}) {
  const chosen = (name: Name) => (values: Readonly<Record<FieldName, string>>) =>
    questionError(
      values[name],
      NAMES.filter((other) => other !== name).map((other) => values[other]),
    )
  const { field, submit } = useForm<FieldName>({
    first: chosen('first'),
    firstAnswer: ({ firstAnswer }) => newAnswerError(firstAnswer),
    second: chosen('second'),
    secondAnswer: ({ secondAnswer }) => newAnswerError(secondAnswer),
    third: chosen('third'),
    thirdAnswer: ({ thirdAnswer }) => newAnswerError(thirdAnswer),
  })
  const onSubmit = submit((values) =>
    send({
      type: 'answersSubmitted',
      answers: NAMES.map((name) => ({ question: values[name], answer: values[`${name}Answer`] })),
    }),
  )
  return (
    <form method="post" noValidate onSubmit={onSubmit}>
      <Stack gap="fields">
        {NAMES.map((name) => (
          <div key={name} className={styles.pair}>
            <SelectField {...field(name)} label={`${LABELS[name]} question`} defaultValue="">
              <option value="">Choose a question</option>
              {catalogue.map(({ uuid, question }) => (
                <option key={uuid} value={uuid}>
                  {question}
                </option>
              ))}
            </SelectField>
            <TextField
              {...field(`${name}Answer`)}
              label={`${LABELS[name]} answer`}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          </div>
        ))}
        <Button type="submit" wide busy={busy} busyLabel="Saving…">
          Save questions
        </Button>
      </Stack>
    </form>
  )
}
