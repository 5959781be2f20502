import { formatTime } from '@portico/rules/format'
import type { Failure } from '@portico/shell/failure'
import { FailureAlert } from '@portico/shell/failure-alert'
import { Waiting } from '@portico/shell/waiting'
import { Button } from '@portico/ui/button'
import { LinkButton } from '@portico/ui/link-button'
import { Stack } from '@portico/ui/stack'
import { Stepper } from '@portico/ui/stepper'
import { useEffect, useRef } from 'react'
import { ChooseProvider } from './choose-provider.tsx'
import { ConnectDirectory } from './connect-directory.tsx'
import { ConnectProvider } from './connect-provider.tsx'
import { MapAttributes } from './map-attributes.tsx'
import {
  completeSteps,
  openSteps,
  SETUP_STEPS,
  type SetupStep,
  STEP_TITLES,
} from './setup-steps.ts'
import type { Event, State } from './sso-setup.flow.ts'
import styles from './sso-setup.module.css'
import type { StepProps } from './step-props.ts'
import { TestProvider } from './test-provider.tsx'
import { TurnOn } from './turn-on.tsx'
import { VerifyDomains } from './verify-domains.tsx'

export type SsoSetupViewProps = {
  state: State
  send: (event: Event) => void
  /** The shown step of an open setup. */
  at: SetupStep
  onStep: (step: SetupStep) => void
  company: string
  now: number
  supportPhone: string
}

/** The page on which an administrator sets up the identity provider of an organization. */
export function SsoSetupView(props: SsoSetupViewProps) {
  const { state, send, company, supportPhone } = props
  switch (state.step) {
    case 'invited':
    case 'opening':
      return (
        <div className={styles.narrow}>
          <Stack>
            <h1 tabIndex={-1}>Set up single sign-on</h1>
            <p>
              Connect your identity provider, so that your people log in to {company} as they do
              everywhere else.
            </p>
            <ul className={styles.needs}>
              <li>You need administrator access to the provider, such as Okta or Entra ID.</li>
              <li>You add one DNS record for the domain of your email addresses.</li>
              <li>It takes about 20 minutes. Every step is saved.</li>
            </ul>
            <Button
              wide
              busy={state.step === 'opening'}
              busyLabel="Starting…"
              onClick={() => send({ type: 'startPressed' })}
            >
              Start
            </Button>
          </Stack>
        </div>
      )
    case 'refused':
      return (
        <div className={styles.narrow}>
          <Stack>
            <h1 tabIndex={-1}>You cannot continue here</h1>
            <FailureAlert failure={state.failure} supportPhone={supportPhone} />
            <Button wide kind="secondary" onClick={() => send({ type: 'retried' })}>
              Try again
            </Button>
          </Stack>
        </div>
      )
    case 'loading':
    case 'leaving':
      return <Waiting />
    case 'editing':
    case 'working':
      return <OpenSetup {...props} state={state} />
  }
}

type OpenState = Extract<State, { step: 'editing' | 'working' }>

function OpenSetup({
  state,
  send,
  at,
  onStep,
  company,
  now,
  supportPhone,
}: SsoSetupViewProps & { state: OpenState }) {
  const { setup } = state
  const complete = completeSteps(setup)
  const open = openSteps(setup)
  const index = SETUP_STEPS.indexOf(at)
  const [, next] = SETUP_STEPS.slice(index)
  const props: StepProps = {
    setup,
    job: state.step === 'working' ? state.job : undefined,
    check: state.check,
    token: state.step === 'editing' ? state.token : undefined,
    onRequest: (job) => send({ type: 'requested', job }),
    onRecheck: (domain) => send({ type: 'recheckDue', domain }),
    now,
  }
  const onContinue = () => next && onStep(next)
  return (
    <Stepper
      steps={SETUP_STEPS.map((step) => ({
        title: STEP_TITLES[step],
        isComplete: complete.includes(step),
        isOpen: open.includes(step),
      }))}
      at={index}
      onStep={(to) => onStep(SETUP_STEPS[to] ?? at)}
      topic={`Single sign-on for ${setup.userType === 'agent' ? 'agents' : 'customers'} of ${company}`}
      note={`You can continue in this browser until ${formatTime(setup.expiresAt)}.`}
    >
      {state.step === 'editing' && state.failure?.at === at && (
        <JobFailure failure={state.failure} supportPhone={supportPhone} />
      )}
      <Step {...props} at={at} onStep={onStep} onContinue={onContinue} />
      {index > 0 && (
        <p className={styles.back}>
          <LinkButton onClick={() => onStep(SETUP_STEPS[index - 1] ?? 'provider')}>
            Back to: {STEP_TITLES[SETUP_STEPS[index - 1] ?? 'provider']}
          </LinkButton>
        </p>
      )}
    </Stepper>
  )
}

/** Scrolls to why a job failed: the button that was pressed may be far below. */
function JobFailure(props: { failure: Failure; supportPhone: string }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'center' })
  }, [props.failure])
  return (
    <div ref={place}>
      <FailureAlert {...props} />
    </div>
  )
}

function Step({
  at,
  ...props
}: StepProps & { at: SetupStep; onStep: (step: SetupStep) => void; onContinue: () => void }) {
  switch (at) {
    case 'provider':
      return <ChooseProvider {...props} />
    case 'connection':
      return <ConnectProvider {...props} />
    case 'domains':
      return <VerifyDomains {...props} />
    case 'attributes':
      return <MapAttributes {...props} />
    case 'test':
      return <TestProvider {...props} />
    case 'enable':
      return <TurnOn {...props} />
    case 'directory':
      return <ConnectDirectory {...props} />
  }
}
