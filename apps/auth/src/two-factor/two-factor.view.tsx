import type { SecondFactor } from '@portico/rules/second-factor'
import { focusHere } from '@portico/shell/form'
import { LinkButton } from '@portico/ui/link-button'
import { RowButton } from '@portico/ui/row-button'
import { Stack } from '@portico/ui/stack'
import { AnsweringView } from './answering.view.tsx'
import { EnteringView } from './entering.view.tsx'
import type { State } from './two-factor.flow.ts'
import type { TwoFactorViewProps } from './view-props.ts'

/** The second step (§4.5). */
export function TwoFactorView({ state, ...rest }: TwoFactorViewProps) {
  switch (state.step) {
    case 'selecting':
      return <SelectingView state={state} {...rest} />
    case 'entering':
      return <EnteringView key={state.method.kind} state={state} {...rest} />
    case 'answering':
      return <AnsweringView state={state} {...rest} />
  }
}

function SelectingView({
  state: { factors, left },
  send,
  clock,
}: TwoFactorViewProps<Extract<State, { step: 'selecting' }>>) {
  const methods = [...factors.methods, ...factors.additional]
  const focused = methods.find((each) => each === left) ?? methods[0]
  return (
    <Stack>
      <p>Choose how to confirm it's you.</p>
      <Stack gap="inside">
        {methods.map((method) => (
          <RowButton
            key={'alias' in method ? method.alias : method.kind}
            ref={method === focused ? focusHere : undefined}
            title={choiceOf(method)}
            onClick={() => send({ type: 'methodChosen', method, at: clock() })}
          />
        ))}
      </Stack>
      {factors.offersRecovery && (
        <p>
          <LinkButton onClick={() => send({ type: 'forgotten' })}>Forgot 2FA?</LinkButton>
        </p>
      )}
    </Stack>
  )
}

function choiceOf(method: SecondFactor): string {
  switch (method.kind) {
    case 'email':
      return `Email a code to ${method.value}`
    case 'phone':
      return `Text a code to ${method.value}`
    case 'totp':
      return 'Use your authenticator app'
    case 'passkey':
      return 'Use a passkey'
    case 'recoveryCode':
      return 'Use a recovery code'
  }
}
