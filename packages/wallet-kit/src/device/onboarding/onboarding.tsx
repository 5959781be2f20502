import { useFlow } from '@portico/flow/react'
import { useDeviceEnvironment } from '../environment.ts'
import { onboarding } from './onboarding.flow.ts'
import { onboardingServices } from './onboarding.services.ts'
import { OnboardingView } from './onboarding.view.tsx'

/** Creates or restores the wallet of this device. The key keeper notifies of the new wallet. */
export function Onboarding() {
  const { keeper, copy, reportError } = useDeviceEnvironment()
  const [state, send] = useFlow(onboarding, {
    input: null,
    services: onboardingServices({ keeper }),
    report: reportError,
  })
  return <OnboardingView state={state} send={send} copy={copy} />
}
