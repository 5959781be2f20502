import type { Client } from '@portico/client/client'
import { readQuestionCatalog, setQuestions } from '@portico/contracts/account-security'
import type { SecurityQuestion } from '@portico/contracts/two-factor'
import { newAnswerError, questionError } from '@portico/rules/field-errors'
import { FailureAlert } from '@portico/shell/failure-alert'
import { useForm } from '@portico/shell/form'
import { useCall } from '@portico/shell/use-call'
import { Button } from '@portico/ui/button'
import { SelectField } from '@portico/ui/select-field'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { TextField } from '@portico/ui/text-field'
import { type AccountChangeProps, LoadedChange } from '../change/change.tsx'
import { useEnvironment } from '../environment.ts'
import styles from './questions.module.css'

/** Chooses and answers three recovery questions. */
export function Questions({ account, onResult }: AccountChangeProps) {
  return (
    <LoadedChange
      account={account}
      onResult={onResult}
      title="Recovery questions"
      wide
      load={(client, signal) => client(readQuestionCatalog, { signal })}
      placeholder={<Skeleton shape="field" count={3} label="Loading the questions" />}
    >
      {(catalog, client) => (
        <QuestionsForm
          catalog={catalog}
          client={client}
          supportPhone={account.supportPhone}
          onSaved={() => onResult('changed')}
        />
      )}
    </LoadedChange>
  )
}

const NAMES = ['first', 'second', 'third'] as const
const LABELS = { first: 'First', second: 'Second', third: 'Third' } as const
type Name = (typeof NAMES)[number]
type FieldName = Name | `${Name}Answer`

export function QuestionsForm({
  catalog,
  client,
  supportPhone,
  onSaved,
}: {
  catalog: readonly SecurityQuestion[]
  client: Client
  supportPhone: string
  onSaved: () => void
}) {
  const { reportError } = useEnvironment()
  const { pending, failure, run } = useCall(reportError)
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
  const onSubmit = submit((values) => {
    const answers = NAMES.map((name) => ({
      securityQuestionUuid: values[name],
      answer: values[`${name}Answer`],
    }))
    return run((signal) => client(setQuestions, { body: { answers }, signal }), onSaved)
  })
  return (
    <Stack>
      <p>
        If you lose your second factor, we will ask you one of these questions. New answers replace
        your earlier ones, and we never show them again.
      </p>
      <FailureAlert failure={failure} supportPhone={supportPhone} />
      <form method="post" noValidate onSubmit={onSubmit}>
        <Stack gap="fields">
          {NAMES.map((name) => (
            <div key={name} className={styles.pair}>
              <SelectField {...field(name)} label={`${LABELS[name]} question`} defaultValue="">
                <option value="">Choose a question</option>
                {catalog.map(({ uuid, question }) => (
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
          <Button type="submit" wide busy={pending} busyLabel="Saving…">
            Save questions
          </Button>
        </Stack>
      </form>
    </Stack>
  )
}
