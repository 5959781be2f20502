import type { Client } from '@portico/client/client'
import { ROUTER_BASE } from '@portico/contracts/limits'
import { useFlow } from '@portico/flow/react'
import { Dialog } from '@portico/ui/dialog'
import { Link } from '@portico/ui/link'
import { Stack } from '@portico/ui/stack'
import { useState } from 'react'
import { useCompanyNames } from '../company-names.ts'
import { useReturnFocus } from '../return-focus.ts'
import { newPassword, type Result } from './new-password.flow.ts'
import { newPasswordServices } from './new-password.services.ts'
import { NewPasswordView } from './new-password.view.tsx'
import { strengthMeter } from './strength.ts'

export type NewPasswordProps = {
  client: Client
  reportError: (error: unknown) => void
  /** The token of a session that has not started yet; defaults to the stored token. */
  jwt?: string
  email: string
  supportPhone: string
  onResult: (result: Result) => void
}

function useNewPassword({ client, reportError, jwt, email, onResult }: NewPasswordProps) {
  const names = useCompanyNames()
  const [measure] = useState(() => strengthMeter(email, names))
  return useFlow(newPassword, {
    input: null,
    services: newPasswordServices({ client, jwt, measure, onResult }),
    report: reportError,
  })
}

/** The password form by itself, with a custom button label. */
export function NewPasswordForm(
  props: NewPasswordProps & { button: { label: string; busyLabel: string } },
) {
  const [state, send] = useNewPassword(props)
  return state.step === 'left' ? null : <NewPasswordView {...props} state={state} send={send} />
}

/** The password step of registration. */
export function NewPassword(props: NewPasswordProps) {
  return (
    <NewPasswordForm
      {...props}
      button={{ label: 'Create login', busyLabel: 'Creating your login…' }}
    />
  )
}

const LOGOUT_PATH = `${ROUTER_BASE}/logout`

/** Why a modal requires a password (§2.3). */
export type Occasion = 'reset' | 'first'

const TEXTS = {
  reset: {
    title: 'Reset Password',
    text: 'Please reset your password to continue.',
    button: { label: 'Reset password', busyLabel: 'Resetting your password…' },
  },
  first: {
    title: 'Set a password for your account',
    text: 'With a password, you can log in without waiting for an email.',
    button: { label: 'Set password', busyLabel: 'Setting your password…' },
  },
} as const satisfies Record<Occasion, unknown>

/** The modals 'Reset Password' and 'Set a password for your account'; a forced one cannot be closed, only left by logging out. */
export function NewPasswordModal(
  props: NewPasswordProps & { occasion: Occasion; forced: boolean },
) {
  useReturnFocus()
  const [state, send] = useNewPassword(props)
  const { title, text, button } = TEXTS[props.occasion]
  return (
    <Dialog
      open={state.step !== 'left'}
      title={title}
      onClose={props.forced ? undefined : () => send({ type: 'closed' })}
    >
      {state.step !== 'left' && (
        <Stack>
          <p>{text}</p>
          <NewPasswordView {...props} state={state} send={send} button={button} />
          {props.forced && (
            <p>
              <Link href={LOGOUT_PATH}>Log out</Link>
            </p>
          )}
        </Stack>
      )}
    </Dialog>
  )
}
