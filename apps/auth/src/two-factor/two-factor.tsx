import { useFlow } from '@portico/flow/react'
import type { TwoFactorOptions } from '@portico/rules/login-outcome'
import { secondFactors } from '@portico/rules/second-factor'
import { useReturnFocus } from '@portico/shell/return-focus'
import { Dialog } from '@portico/ui/dialog'
import { useToast } from '@portico/ui/toast'
import { useState } from 'react'
import { useEnvironment } from '../environment.ts'
import type { Position } from '../second-step.ts'
import { type Result, twoFactor } from './two-factor.flow.ts'
import { type TwoFactorDeps, twoFactorServices } from './two-factor.services.ts'
import { TwoFactorView } from './two-factor.view.tsx'

export type TwoFactorProps = Pick<TwoFactorDeps, 'storePosition'> & {
  options: TwoFactorOptions
  supportPhone: string
  /** The position to restore after a reload. */
  position?: Position | undefined
  onResult: (result: Result) => void
}

/** The second step of a login as a modal (§4.5). */
export function TwoFactorModal(props: TwoFactorProps) {
  const { options, supportPhone, position, storePosition, onResult } = props
  useReturnFocus()
  const environment = useEnvironment()
  const { clock, passkeys, reportError } = environment
  const showToast = useToast()
  const [input] = useState(() => ({
    loginUuid: options.loginUuid,
    factors: secondFactors(options, { passkeys: passkeys.supported() }),
    at: clock(),
    position,
  }))
  const [state, send] = useFlow(twoFactor, {
    input,
    services: twoFactorServices({ ...environment, showToast, storePosition, onResult }),
    report: reportError,
  })
  return (
    <Dialog
      open={state.step !== 'left'}
      title="Two-step verification"
      onClose={() => send({ type: 'closed' })}
    >
      {state.step !== 'left' && (
        <TwoFactorView state={state} send={send} clock={clock} supportPhone={supportPhone} />
      )}
    </Dialog>
  )
}
