import type { SecurityOverview } from '@portico/contracts/account-security'
import {
  DEFAULT_REDIRECT,
  PASSKEYS_MAXIMUM,
  PHONES_MAXIMUM,
  RECOVERY_CODES,
} from '@portico/contracts/limits'
import { formatPhone } from '@portico/rules/phone'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { Link } from '@portico/ui/link'
import { LinkButton } from '@portico/ui/link-button'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { METHOD_WORDS } from '../method-words.ts'
import { eventWords } from './event-words.ts'
import { Item, Section } from './section.tsx'
import type { Change, Event, State } from './security.flow.ts'
import styles from './security.module.css'

/** What the page shows besides its state. */
export type SecurityViewProps = {
  state: State
  send: (event: Event) => void
  /** A time as the reader writes it. */
  time: (at: number) => string
  /** Whether this browser has passkeys; without, it makes none. */
  passkeys: boolean
}

/** How somebody signs in, and where they are signed in. */
export function SecurityView({ state, send, time, passkeys }: SecurityViewProps) {
  const overview = state.step === 'leaving' ? undefined : state.overview
  const choose = (change: Change) => send({ type: 'changeChosen', change })
  return (
    <Stack gap="thought">
      <Stack gap="inside">
        <h1 tabIndex={-1}>Security</h1>
        <p>How you sign in, and where you are signed in.</p>
        <p>
          <Link href={DEFAULT_REDIRECT}>Back to your dashboard</Link>
        </p>
      </Stack>
      {state.step === 'unreachable' && (
        <Alert tone="warn" title="We could not reach the server">
          <p>
            {overview
              ? 'What you see may be out of date. Check your connection, then try again.'
              : 'Check your connection, then try again.'}
          </p>
          <Button kind="quiet" onClick={() => send({ type: 'retried' })}>
            Try again
          </Button>
        </Alert>
      )}
      {state.step === 'reading' && !overview && (
        <Skeleton shape="card" count={5} label="Reading your settings" />
      )}
      {overview && (
        <>
          <SignIn overview={overview} choose={choose} time={time} passkeys={passkeys} />
          <SecondStep overview={overview} choose={choose} />
          <Recovery overview={overview} choose={choose} />
          <Sessions overview={overview} choose={choose} time={time} />
          <Events overview={overview} time={time} />
        </>
      )}
    </Stack>
  )
}

type PartProps = { overview: SecurityOverview; choose: (change: Change) => void }
type TimedProps = PartProps & { time: (at: number) => string }

function SignIn({ overview, choose, time, passkeys }: TimedProps & { passkeys: boolean }) {
  return (
    <>
      <Section
        title="Password"
        text="What you type to log in. A long one that you use nowhere else is best."
        state={overview.hasPassword ? 'Set' : 'Not set'}
        action={
          <Button kind="secondary" onClick={() => choose({ kind: 'password' })}>
            {overview.hasPassword ? 'Change password' : 'Set a password'}
          </Button>
        }
      />
      <Section
        title="Passkeys"
        text="Sign in with your fingerprint, face, PIN or security key. Nothing to remember, nothing to steal."
        state={overview.passkeys.length === 0 ? 'None' : String(overview.passkeys.length)}
        action={
          passkeys &&
          overview.passkeys.length < PASSKEYS_MAXIMUM && (
            <Button kind="secondary" onClick={() => choose({ kind: 'addPasskey' })}>
              Add a passkey
            </Button>
          )
        }
      >
        {overview.passkeys.length > 0 && (
          <ul className={styles.list}>
            {overview.passkeys.map(({ uuid, name, createdAt, lastUsedAt }) => (
              <Item
                key={uuid}
                title={name}
                details={
                  lastUsedAt === null
                    ? `Added ${time(createdAt)}`
                    : `Added ${time(createdAt)}, last used ${time(lastUsedAt)}`
                }
              >
                <LinkButton
                  aria-label={`Rename ${name}`}
                  onClick={() => choose({ kind: 'renamePasskey', uuid, name })}
                >
                  Rename
                </LinkButton>
                <LinkButton
                  aria-label={`Remove ${name}`}
                  onClick={() => choose({ kind: 'removePasskey', uuid, name })}
                >
                  Remove
                </LinkButton>
              </Item>
            ))}
          </ul>
        )}
      </Section>
    </>
  )
}

function SecondStep({ overview, choose }: PartProps) {
  const phones = overview.aliases.filter(({ type, verified }) => type === 'Phone' && verified)
  const { emailFactorEnabled, totpEnabled, textsAvailable } = overview
  return (
    <>
      <Section
        title="Authenticator app"
        text="A second step that works without a signal: an app on your phone shows a new code every 30 seconds."
        state={totpEnabled ? 'On' : 'Off'}
        action={
          totpEnabled ? (
            <Button kind="secondary" onClick={() => choose({ kind: 'removeTotp' })}>
              Remove authenticator app
            </Button>
          ) : (
            <Button kind="secondary" onClick={() => choose({ kind: 'addTotp' })}>
              Set up an authenticator app
            </Button>
          )
        }
      />
      <Section
        title="Phone"
        text={
          textsAvailable
            ? 'A second step by text message.'
            : 'We cannot send text messages at the moment, so no phone can be added.'
        }
        state={phones.length > 0 ? 'On' : 'Off'}
        action={
          textsAvailable &&
          phones.length < PHONES_MAXIMUM && (
            <Button kind="secondary" onClick={() => choose({ kind: 'addPhone' })}>
              Add a phone
            </Button>
          )
        }
      >
        {phones.length > 0 && (
          <ul className={styles.list}>
            {phones.map(({ uuid, value }) => (
              <Item key={uuid} title={formatPhone(value)}>
                <LinkButton
                  aria-label={`Remove ${formatPhone(value)}`}
                  onClick={() => choose({ kind: 'removePhone', alias: uuid, value })}
                >
                  Remove
                </LinkButton>
              </Item>
            ))}
          </ul>
        )}
      </Section>
      <Section
        title="Codes by email"
        text="A second step by email, at the address you log in with."
        state={emailFactorEnabled ? 'On' : 'Off'}
        action={
          <Button
            kind="secondary"
            onClick={() => choose({ kind: 'emailFactor', enabled: !emailFactorEnabled })}
          >
            {emailFactorEnabled ? 'Turn off codes by email' : 'Turn on codes by email'}
          </Button>
        }
      />
    </>
  )
}

function Recovery({ overview, choose }: PartProps) {
  const { questions, recoveryCodesLeft } = overview
  return (
    <>
      <Section
        title="Recovery codes"
        text="Codes to keep in a safe place, for the day you lose your second step. Each works once."
        state={recoveryCodesLeft === 0 ? 'None' : `${recoveryCodesLeft} of ${RECOVERY_CODES} left`}
        action={
          <Button kind="secondary" onClick={() => choose({ kind: 'recoveryCodes' })}>
            {recoveryCodesLeft === 0 ? 'Make recovery codes' : 'Make new recovery codes'}
          </Button>
        }
      />
      <Section
        title="Recovery questions"
        text="If you lose your second step we ask one of them. Your answers are never shown."
        state={questions.length === 0 ? 'None' : 'Set'}
        action={
          <Button kind="secondary" onClick={() => choose({ kind: 'questions' })}>
            {questions.length === 0 ? 'Choose recovery questions' : 'Change recovery questions'}
          </Button>
        }
      >
        {questions.length > 0 && (
          <ul className={styles.list}>
            {questions.map(({ uuid, question }) => (
              <Item key={uuid} title={question} />
            ))}
          </ul>
        )}
      </Section>
    </>
  )
}

function Sessions({ overview: { sessions }, choose, time }: TimedProps) {
  const others = sessions.filter(({ current }) => !current)
  return (
    <Section
      title="Where you are signed in"
      text="End a session that you do not know, then change your password."
    >
      <ul className={styles.list}>
        {sessions.map(({ uuid, device, network, method, signedInAt, current }) => (
          <Item
            key={uuid}
            title={current ? `${device} (this one)` : device}
            details={`${network}, since ${time(signedInAt)}, ${METHOD_WORDS[method]}`}
          >
            {!current && (
              <LinkButton
                aria-label={`Sign out ${device}`}
                onClick={() => choose({ kind: 'endSession', uuid, device })}
              >
                Sign out
              </LinkButton>
            )}
          </Item>
        ))}
      </ul>
      <div className={styles.further}>
        {others.length > 0 && (
          <Button kind="secondary" onClick={() => choose({ kind: 'endSessions', which: 'others' })}>
            Sign out everywhere else
          </Button>
        )}
        <Button kind="secondary" onClick={() => choose({ kind: 'endSessions', which: 'all' })}>
          Sign out everywhere
        </Button>
      </div>
    </Section>
  )
}

function Events({ overview: { events }, time }: Omit<TimedProps, 'choose'>) {
  return (
    <Section title="Recent activity" text="What happened to the security of your account lately.">
      <ul className={styles.list}>
        {events.map(({ at, kind, network }) => (
          <Item
            key={`${at}-${kind}`}
            title={eventWords(kind)}
            details={`${time(at)}, ${network}`}
          />
        ))}
      </ul>
    </Section>
  )
}
