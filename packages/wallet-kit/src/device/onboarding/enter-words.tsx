import type { WordsProblem } from '@portico/keys/mnemonic'
import { useForm } from '@portico/shell/form'
import { Button } from '@portico/ui/button'
import { TextArea } from '@portico/ui/text-area'
import { useId } from 'react'
import { Screen } from '../../screen.tsx'
import type { Event, State } from './onboarding.flow.ts'

/** The recovery words of an existing wallet. */
export function EnterWords({
  state: { words, problem },
  send,
}: {
  state: Extract<State, { step: 'entering' }>
  send: (event: Event) => void
}) {
  const id = useId()
  const { field, submit } = useForm({
    words: ({ words: typed }) =>
      typed.trim() === '' ? 'Please enter your recovery words.' : undefined,
  })
  const { error, ...control } = field('words')
  return (
    <Screen
      title="Enter your recovery words"
      actions={
        <>
          <Button kind="secondary" onClick={() => send({ type: 'back' })}>
            Back
          </Button>
          <Button type="submit" form={id}>
            Continue
          </Button>
        </>
      }
    >
      <p>
        Make sure that no one can see your screen. The words stay on this device and are stored
        encrypted when you finish.
      </p>
      <form
        id={id}
        method="post"
        noValidate
        onSubmit={submit((values) => send({ type: 'wordsEntered', words: values.words }))}
      >
        <TextArea
          {...control}
          label="Recovery words"
          hint="12 to 24 words in order, separated by spaces."
          error={error ?? (problem && problemText(problem))}
          rows={5}
          defaultValue={words}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
        />
      </form>
    </Screen>
  )
}

/** What is wrong with the words, and what to compare. */
function problemText(problem: WordsProblem): string {
  switch (problem.kind) {
    case 'count':
      return `Recovery phrases have 12, 15, 18, 21 or 24 words. You have entered ${problem.count}.`
    case 'unknown': {
      const [first, ...others] = problem.words.map(
        ({ number, word }) => `word ${number} ('${word}')`,
      )
      return others.length === 0
        ? `There is no recovery word like ${first}. Check its spelling.`
        : `These are not recovery words: ${[first, ...others].slice(0, 4).join(', ')}. Check their spelling.`
    }
    case 'checksum':
      return 'Each word is valid, but the phrase is not. Check the order of the words, and that none is missing or wrong.'
  }
}
