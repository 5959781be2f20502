import { NOTICES } from '@portico/contracts/notices'
import { accountNameError } from '@portico/rules/field-errors'
import type { Failure } from '@portico/shell/failure'
import { useForm } from '@portico/shell/form'
import { Button } from '@portico/ui/button'
import { LinkButton } from '@portico/ui/link-button'
import { Stack } from '@portico/ui/stack'
import { TextField } from '@portico/ui/text-field'
import { useId } from 'react'
import { FailureNotice } from '../failure-notice.tsx'
import { Screen } from '../screen.tsx'
import type { Event, Form, State } from './accounts.flow.ts'

const TITLES = {
  create: 'Give Your Account a Name',
  restore: 'Restore an account',
  rename: 'Rename this account',
} as const satisfies Record<Form['kind'], string>

const SUBMIT = {
  create: ['Submit', 'Creating…'],
  restore: ['Restore', 'Restoring…'],
  rename: ['Save', 'Saving…'],
} as const satisfies Record<Form['kind'], readonly [string, string]>

const WORD_COUNTS = [12, 15, 18, 21, 24]

function wordsError(words: string): string | undefined {
  const count = words.trim() === '' ? 0 : words.trim().split(/\s+/).length
  if (count === 0) return 'Please enter your recovery words.'
  return WORD_COUNTS.includes(count)
    ? undefined
    : `Recovery phrases have 12 to 24 words. You have entered ${count}.`
}

/** The name field's error after a refusal. */
function nameError({ reason, notices }: Failure, kind: Form['kind']): string | undefined {
  if (reason === 'account-name-used') return notices[0]
  return kind === 'create' ? NOTICES.accountNotSubmitted : undefined
}

/** The form for an account's name and, when restoring, its recovery words. */
export function AccountForm({
  state,
  send,
  onLogIn,
}: {
  state: Extract<State, { step: 'filling' | 'saving' }>
  send: (event: Event) => void
  onLogIn: () => void
}) {
  const { form, leavable, values: entered } = state
  const { kind } = form
  const restoring = kind === 'restore'
  const busy = state.step === 'saving'
  const failure = state.step === 'filling' ? state.failure : undefined
  const id = useId()
  const { field, submit } = useForm({
    words: ({ words }) => (restoring ? wordsError(words) : undefined),
    name: ({ name }) => accountNameError(name),
  })
  const [label, busyLabel] = SUBMIT[kind]
  const name = field('name')
  const isNameUsed = failure?.reason === 'account-name-used'
  return (
    <Screen
      title={TITLES[kind]}
      actions={
        <>
          {leavable && (
            <Button kind="secondary" disabled={busy} onClick={() => send({ type: 'back' })}>
              Back
            </Button>
          )}
          <Button type="submit" form={id} busy={busy} busyLabel={busyLabel}>
            {label}
          </Button>
        </>
      }
    >
      {failure && !isNameUsed && <FailureNotice failure={failure} onLogIn={onLogIn} />}
      <p>
        {restoring
          ? 'The words are sent to us once, kept encrypted, and never shown again.'
          : kind === 'create'
            ? 'We create and store its key for you. The name helps you tell your accounts apart.'
            : 'Connected pages will see the new name the next time they connect.'}
      </p>
      <form
        id={id}
        method="post"
        noValidate
        onSubmit={submit((values) =>
          send({
            type: 'submitted',
            values: { name: values.name.trim(), ...(restoring ? { words: values.words } : {}) },
          }),
        )}
      >
        <Stack gap="fields">
          {restoring && (
            <TextField
              {...field('words')}
              label="Recovery words"
              hint="In order, separated by spaces"
              defaultValue={entered?.words}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
          <TextField
            {...name}
            label="Account Name"
            autoComplete="off"
            defaultValue={entered?.name ?? (form.kind === 'rename' ? form.name : '')}
            error={name.error ?? (failure && nameError(failure, kind))}
          />
        </Stack>
      </form>
      {!leavable && (
        <p>
          <LinkButton
            onClick={() =>
              send({ type: 'formOpened', form: { kind: restoring ? 'create' : 'restore' } })
            }
          >
            {restoring ? 'Create a new account instead' : 'Restore from recovery words instead'}
          </LinkButton>
        </p>
      )}
    </Screen>
  )
}
