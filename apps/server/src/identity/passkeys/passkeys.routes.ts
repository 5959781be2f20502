import {
  addPasskey,
  beginPasskey,
  removePasskey,
  renamePasskey,
} from '@portico/contracts/account-security'
import {
  passkeyLogin,
  readPasskeyLogin,
  readPasskeySecondFactor,
  redeemPasskeySecondFactor,
} from '@portico/contracts/two-factor'
import { COSTLY } from '../../http/rate-limits.ts'
import { type Edge, serve } from '../../http/serve.ts'
import type { LoginMetrics } from '../../operations/login-metrics.ts'
import type { AllStores } from '../../stores.ts'
import { securityChange } from '../account-security/security-change.ts'
import type { Admit } from '../admission.ts'
import { type SecondStepDeps, secondStep } from '../two-factor/second-step.ts'
import { passkeyChecks } from './passkey-checks.ts'
import { passkeySecondStep, passkeySignIn } from './passkey-login.ts'
import { passkeySetup } from './passkey-setup.ts'

export function passkeys(
  edge: Edge,
  deps: SecondStepDeps & {
    readonly stores: AllStores
    readonly admit: Admit
    readonly loginMetrics: LoginMetrics
  },
): void {
  const { countLogin, countSecondStep } = deps.loginMetrics
  const checks = passkeyChecks(deps)
  const signIn = passkeySignIn({ ...deps, checks })
  const second = passkeySecondStep({ ...deps, checks, step: secondStep(deps) })
  const setup = passkeySetup({ ...deps, checks, change: securityChange(deps) })

  serve(edge, readPasskeyLogin, ({ visitor }) => signIn.begin(visitor), COSTLY)
  serve(
    edge,
    passkeyLogin,
    ({ body, visitor }) => countLogin('passkey', () => signIn.finish(body, visitor)),
    COSTLY,
  )
  serve(
    edge,
    readPasskeySecondFactor,
    ({ body, visitor }) => second.begin(body.loginUuid, visitor),
    COSTLY,
  )
  serve(
    edge,
    redeemPasskeySecondFactor,
    ({ body, visitor }) => countSecondStep('passkey', () => second.finish(body, visitor)),
    COSTLY,
  )
  serve(edge, beginPasskey, ({ session, visitor }) => setup.begin(session, visitor), COSTLY)
  serve(edge, addPasskey, ({ body, session, visitor }) => setup.add(body, session, visitor), COSTLY)
  serve(edge, renamePasskey, ({ body, session }) => setup.rename(body, session))
  serve(edge, removePasskey, ({ body, session, visitor }) =>
    setup.remove(body.uuid, session, visitor),
  )
}
