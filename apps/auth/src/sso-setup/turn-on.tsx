import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { Icon } from '@portico/ui/icon'
import { LinkButton } from '@portico/ui/link-button'
import { Stack } from '@portico/ui/stack'
import { completeSteps, type SetupStep } from './setup-steps.ts'
import styles from './sso-setup.module.css'
import type { StepProps } from './step-props.ts'

const CONDITIONS = [
  { step: 'connection', done: 'The provider is connected', open: 'Connect your provider' },
  { step: 'domains', done: 'A domain is verified', open: 'Verify a domain' },
  { step: 'test', done: 'The test passed', open: 'Pass the test with the current settings' },
] as const

const PEOPLE = { customer: 'customers', agent: 'agents' } as const

/** Turns logins with the provider on and off, and applies changed settings. */
export function TurnOn({
  setup,
  job,
  onRequest,
  onStep,
}: StepProps & { onStep: (step: SetupStep) => void }) {
  const complete = completeSteps(setup)
  const isReady = CONDITIONS.every(({ step }) => complete.includes(step))
  const isOn = setup.enabledAt !== null
  const { isApplied, isOffered } = setup
  const people = PEOPLE[setup.userType]
  return (
    <Stack>
      {isOn && (
        <Alert
          tone={isApplied && isOffered ? 'ok' : 'warn'}
          title={isApplied ? 'Single sign-on is on' : 'Your latest changes are not in use yet'}
        >
          {isApplied
            ? isOffered
              ? `Your ${people} see the button “Log in with ${setup.name}” on the login page.`
              : 'The login page does not show the button yet. Ask the person who sent you the setup link to include your organization.'
            : `Your ${people} log in with the earlier settings until you apply the changes.`}
        </Alert>
      )}
      {isOn && isApplied && (
        <p>
          You can also{' '}
          <LinkButton onClick={() => onStep('directory')}>connect your directory</LinkButton>, so
          that people who leave your organization are logged out here at once.
        </p>
      )}
      {!isApplied && (
        <>
          <ul className={styles.conditions}>
            {CONDITIONS.map(({ step, done, open }) => {
              const isDone = complete.includes(step)
              return (
                <li key={step} data-done={isDone || undefined}>
                  <Icon name={isDone ? 'ok' : 'clock'} />
                  {isDone ? done : <LinkButton onClick={() => onStep(step)}>{open}</LinkButton>}
                </li>
              )
            })}
          </ul>
          <div className={styles.actions}>
            <Button
              disabled={!isReady}
              busy={job?.type === 'enable'}
              busyLabel={isOn ? 'Applying…' : 'Turning on…'}
              onClick={() => onRequest({ type: 'enable' })}
            >
              {isOn ? 'Apply the changes' : 'Turn on single sign-on'}
            </Button>
          </div>
        </>
      )}
      {isOn && (
        <section className={styles.card} aria-labelledby="turn-off">
          <h2 id="turn-off">Turn it off</h2>
          <p>
            No one will be able to log in with {setup.name}. Open sessions continue, and these
            settings are kept.
          </p>
          <div className={styles.links}>
            <Button
              kind="secondary"
              busy={job?.type === 'disable'}
              busyLabel="Turning off…"
              onClick={() => onRequest({ type: 'disable' })}
            >
              Turn off single sign-on
            </Button>
          </div>
        </section>
      )}
    </Stack>
  )
}
