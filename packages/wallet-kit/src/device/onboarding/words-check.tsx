import { focusHere, useForm } from '@portico/shell/form'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { LinkButton } from '@portico/ui/link-button'
import { Stack } from '@portico/ui/stack'
import { TextField } from '@portico/ui/text-field'
import { useId } from 'react'
import { FailureNotice } from '../../failure-notice.tsx'
import { Screen } from '../../screen.tsx'
import type { Event, State } from './onboarding.flow.ts'

const NAMES = ['first', 'second', 'third'] as const
const wordError = (word: string) => (word.trim() === '' ? 'Please enter this word.' : undefined)

/** Asks for a few of the words, to make sure that they were written down. */
export function WordsCheck({
  state: { positions, wrongAttempts, failure },
  send,
}: {
  state: Extract<State, { step: 'checking' }>
  send: (event: Event) => void
}) {
  const id = useId()
  const { field, submit } = useForm({
    first: ({ first }) => wordError(first),
    second: ({ second }) => wordError(second),
    third: ({ third }) => wordError(third),
  })
  return (
    <Screen
      title="Check your recovery words"
      actions={
        <Button type="submit" form={id}>
          Create the wallet
        </Button>
      }
    >
      {failure && <FailureNotice failure={failure} />}
      {wrongAttempts > 0 ? (
        <Alert tone="danger">
          <p>
            That does not match. Compare with what you wrote down, then enter the words asked for
            now.
          </p>
        </Alert>
      ) : (
        <p>Enter these words from what you wrote down.</p>
      )}
      <form
        id={id}
        method="post"
        noValidate
        onSubmit={submit((words) =>
          send({
            type: 'wordsConfirmed',
            answers: NAMES.map((name) => words[name].trim().toLowerCase()),
          }),
        )}
      >
        <Stack gap="fields">
          {NAMES.map((name, index) => (
            <TextField
              key={name}
              {...field(name)}
              ref={index === 0 && wrongAttempts > 0 ? focusHere : undefined}
              label={`Word ${(positions[index] ?? 0) + 1}`}
              autoComplete="off"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
            />
          ))}
        </Stack>
      </form>
      <p>
        <LinkButton onClick={() => send({ type: 'back' })}>Show the words again</LinkButton>
      </p>
    </Screen>
  )
}
