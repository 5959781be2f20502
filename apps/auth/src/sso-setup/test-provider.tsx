import type { SetupTest } from '@portico/contracts/sso-setup'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { Fact, Facts } from '@portico/ui/facts'
import { Stack } from '@portico/ui/stack'
import { groupsOmittedAdvice, testAdvice } from './setup-texts.ts'
import styles from './sso-setup.module.css'
import type { StepProps } from './step-props.ts'

export function TestProvider({
  setup,
  job,
  onRequest,
  onContinue,
}: StepProps & { onContinue: () => void }) {
  const { test } = setup
  const isPassed = test?.status === 'passed'
  return (
    <Stack>
      <p>
        You sign in at your provider as your people will. Nothing is created here, and you are not
        logged in.
      </p>
      {test !== null && <TestResult test={test} setup={setup} />}
      <div className={styles.actions}>
        <Button
          kind={isPassed ? 'secondary' : 'primary'}
          busy={job?.type === 'test'}
          busyLabel="Opening…"
          onClick={() => onRequest({ type: 'test' })}
        >
          {test === null ? 'Test a sign-in' : 'Test again'}
        </Button>
        {isPassed && <Button onClick={onContinue}>Continue</Button>}
      </div>
    </Stack>
  )
}

function TestResult({ test, setup }: { test: SetupTest } & Pick<StepProps, 'setup'>) {
  const { status, person, claims, mismatch, detail } = test
  if (status === 'begun') {
    return (
      <Alert tone="info" title="No answer has arrived from the last test">
        If your provider showed an error, compare the addresses that you copied to it, letter for
        letter.
      </Alert>
    )
  }
  const advice = testAdvice(test, setup)
  return (
    <Stack>
      {status === 'passed' ? (
        <Alert tone="ok" title="The test passed">
          Your provider and these settings work together.
        </Alert>
      ) : (
        <Alert tone="danger" title={advice.title} detail={detail}>
          {advice.advice}
        </Alert>
      )}
      {mismatch && (
        <Facts>
          <Fact label="Expected">
            <bdi dir="ltr">{mismatch.expected}</bdi>
          </Fact>
          <Fact label="Found">
            <bdi dir="ltr">{mismatch.found}</bdi>
          </Fact>
        </Facts>
      )}
      {person?.email !== undefined && !person.isDomainVerified && (
        <Alert tone="warn" title="This person could not log in yet">
          The domain of {person.email} is not verified.
        </Alert>
      )}
      {status === 'passed' && person?.groupsOmitted === true && (
        <Alert tone="warn" title={groupsOmittedAdvice(setup.protocol).title}>
          {groupsOmittedAdvice(setup.protocol).advice}
        </Alert>
      )}
      {person && (
        <section className={styles.person} aria-labelledby="person">
          <h2 id="person">Who signed in</h2>
          <Facts>
            {(
              [
                ['Email address', person.email],
                ['First name', person.firstName],
                ['Last name', person.lastName],
                ['Groups', person.groupsOmitted ? 'Left out: too many' : person.groups.join(', ')],
                ['Identifier', person.subject],
              ] as const
            ).map(([label, value]) => (
              <Fact key={label} label={label}>
                <bdi>{value || 'Not sent'}</bdi>
              </Fact>
            ))}
          </Facts>
        </section>
      )}
      {claims.length > 0 && (
        <details className={styles.claims}>
          <summary>Everything that the provider sent</summary>
          <Facts>
            {claims.map(({ name, value }) => (
              <Fact key={name} label={<bdi dir="ltr">{name}</bdi>}>
                <bdi>{value}</bdi>
              </Fact>
            ))}
          </Facts>
        </details>
      )}
    </Stack>
  )
}
