import { useFlow } from '@portico/flow/react'
import type { FieldError } from '@portico/rules/field-errors'
import { useReturnFocus } from '@portico/shell/return-focus'
import { Dialog } from '@portico/ui/dialog'
import { useToast } from '@portico/ui/toast'
import { useEnvironment } from '../environment.ts'
import { oneTimeCode, type Result } from './one-time-code.flow.ts'
import {
  type OneTimeCodeDeps,
  oneTimeCodeServices,
  type SentCode,
} from './one-time-code.services.ts'
import { type CodePrompt, OneTimeCodeView } from './one-time-code.view.tsx'

export type { CodePrompt, SentCode }

export type OneTimeCodeProps = Pick<
  OneTimeCodeDeps,
  'sendAnother' | 'redeem' | 'redeemFailureOf'
> & {
  email: string
  loginUuid: string
  justSent: boolean
  codeError: (code: string) => FieldError
  /** Overrides the default introduction and field label. */
  prompt?: CodePrompt
  supportPhone: string
  back?: string | undefined
  onResent: (loginUuid: string) => void
  onResult: (result: Result) => void
}

function useOneTimeCode({ loginUuid, justSent, ...deps }: OneTimeCodeProps) {
  const { client, navigate, wait, reportError } = useEnvironment()
  const showToast = useToast()
  return useFlow(oneTimeCode, {
    input: { loginUuid, justSent },
    services: oneTimeCodeServices({ ...deps, client, navigate, wait, showToast }),
    report: reportError,
  })
}

/** Code entry as a step within a page. */
export function OneTimeCode(props: OneTimeCodeProps) {
  const [state, send] = useOneTimeCode(props)
  return state.step === 'left' ? null : <OneTimeCodeView {...props} state={state} send={send} />
}

/** Code entry as a modal (§2.3). */
export function OneTimeCodeModal(props: OneTimeCodeProps) {
  useReturnFocus()
  const [state, send] = useOneTimeCode(props)
  return (
    <Dialog
      open={state.step === 'entering'}
      title="Enter your passcode"
      onClose={() => send({ type: 'closed' })}
    >
      {state.step === 'entering' && <OneTimeCodeView {...props} state={state} send={send} />}
    </Dialog>
  )
}
