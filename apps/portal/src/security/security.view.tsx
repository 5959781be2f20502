import type { SecurityOverview } from '@portico/contracts/account-security'
import { MAX_PASSKEYS, MAX_PHONES, RECOVERY_CODES } from '@portico/contracts/limits'
import { isManaged } from '@portico/rules/next-step'
import { formatPhone } from '@portico/rules/phone'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { Icon } from '@portico/ui/icon'
import { LinkButton } from '@portico/ui/link-button'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { eventLabel } from '../event-labels.ts'
import { METHOD_LABELS } from '../method-labels.ts'
import { Group, Item, SettingRow } from './group.tsx'
import { nextStep } from './next-step.ts'
import type { Event, SelectedChange, State } from './security.flow.ts'
import styles from './security.module.css'

export type SecurityViewProps = {
  state: State
  send: (event: Event) => void
  /** Formats a timestamp for the user's locale. */
  time: (at: number) => string
  /** Whether this browser supports passkeys. */
  passkeys: boolean
}

/** The user's sign-in methods, sessions and recent activity. */
export function SecurityView({ state, send, time, passkeys }: SecurityViewProps) {
  const overview = state.step === 'leaving' ? undefined : state.overview
  const choose = (change: SelectedChange) => send({ type: 'changeChosen', change })
  return (
    <Stack gap="sections">
      <Stack gap="inside">
        <h1 tabIndex={-1}>Security</h1>
        <p>How you log in, and where you are logged in.</p>
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
        <Skeleton shape="card" count={5} label="Loading your settings" />
      )}
      {overview && (
        <>
          <NextStep overview={overview} choose={choose} passkeys={passkeys} />
          <SignIn overview={overview} choose={choose} time={time} passkeys={passkeys} />
          {/* The provider is responsible for second factors of the accounts that it manages. */}
          {!isManaged(overview) && (
            <>
              <SecondStep overview={overview} choose={choose} />
              <Recovery overview={overview} choose={choose} />
            </>
          )}
          <Devices overview={overview} choose={choose} time={time} />
          <Events overview={overview} time={time} />
          <YourData choose={choose} />
        </>
      )}
    </Stack>
  )
}

type GroupProps = { overview: SecurityOverview; choose: (change: SelectedChange) => void }
type TimedProps = GroupProps & { time: (at: number) => string }

/** The recommended next step, or a line that says that the account is well protected. */
function NextStep({ overview, choose, passkeys }: GroupProps & { passkeys: boolean }) {
  const step = nextStep(overview, { passkeys })
  if (step === undefined) {
    return (
      <p className={styles.quiet}>
        <Icon name="ok" />
        Your account is well protected. There is nothing you need to do.
      </p>
    )
  }
  return (
    <section className={styles.next} aria-labelledby="next-step">
      <p className={styles.eyebrow}>Best next step</p>
      <h2 id="next-step">{step.title}</h2>
      <p>{step.text}</p>
      <Button aria-describedby="next-step" onClick={() => choose(step.change)}>
        Set up now
      </Button>
    </section>
  )
}

function SignIn({ overview, choose, time, passkeys }: TimedProps & { passkeys: boolean }) {
  const { providers } = overview
  const email = overview.aliases.find(({ type }) => type === 'Email')?.value ?? ''
  const manager = providers.find(({ manages }) => manages)
  if (manager !== undefined) {
    return (
      <Group title="Sign-in">
        <Item title="Email address" details={email} />
        <Item
          title={manager.name}
          details={`You log in with ${manager.name}. Your organization manages this login.`}
        />
      </Group>
    )
  }
  return (
    <Group title="Sign-in">
      <SettingRow
        title="Email address"
        details={email}
        state="Change"
        onClick={() => choose({ kind: 'email' })}
      />
      <SettingRow
        title="Password"
        details="A long password that you use nowhere else is best."
        state={overview.hasPassword ? 'Set' : 'Not set'}
        onClick={() => choose({ kind: 'password' })}
      />
      {providers.map(({ uuid, name, connectedAt }) => (
        <Item
          key={uuid}
          title={name}
          details={`You log in with ${name}, connected ${time(connectedAt)}`}
        >
          <LinkButton
            aria-label={`Disconnect ${name}`}
            onClick={() => choose({ kind: 'disconnectProvider', uuid, name })}
          >
            Disconnect
          </LinkButton>
        </Item>
      ))}
      {overview.passkeys.map(({ uuid, name, createdAt, lastUsedAt }) => (
        <Item
          key={uuid}
          title={name}
          details={
            lastUsedAt === null
              ? `Passkey, added ${time(createdAt)}`
              : `Passkey, added ${time(createdAt)}, last used ${time(lastUsedAt)}`
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
      {passkeys && overview.passkeys.length < MAX_PASSKEYS && (
        <SettingRow
          title="Add a passkey"
          details="Log in with your fingerprint, face, PIN or security key."
          state={overview.passkeys.length === 0 ? 'None yet' : ''}
          onClick={() => choose({ kind: 'addPasskey' })}
        />
      )}
    </Group>
  )
}

function SecondStep({ overview, choose }: GroupProps) {
  const phones = overview.aliases.filter(({ type, verified }) => type === 'Phone' && verified)
  const { emailFactorEnabled, totpEnabled, textsAvailable } = overview
  return (
    <Group title="Second step" text="What you enter in addition to your password or code.">
      <SettingRow
        title="Authenticator app"
        details="An app on your phone shows a new code every 30 seconds, even without a signal."
        state={totpEnabled ? 'On' : 'Off'}
        onClick={() => choose({ kind: totpEnabled ? 'removeTotp' : 'addTotp' })}
      />
      {phones.map(({ uuid, value }) => (
        <Item key={uuid} title={<bdi dir="ltr">{formatPhone(value)}</bdi>} details="Phone">
          <LinkButton
            aria-label={`Remove ${formatPhone(value)}`}
            onClick={() => choose({ kind: 'removePhone', alias: uuid, value })}
          >
            Remove
          </LinkButton>
        </Item>
      ))}
      {textsAvailable && phones.length < MAX_PHONES && (
        <SettingRow
          title="Add a phone"
          details="A code by text message."
          state={phones.length === 0 ? 'Off' : ''}
          onClick={() => choose({ kind: 'addPhone' })}
        />
      )}
      {!textsAvailable && (
        <Item
          title="Phone"
          details="We cannot send text messages at the moment, so no phone can be added."
        />
      )}
      <SettingRow
        title="Codes by email"
        details="A code at the address you log in with."
        state={emailFactorEnabled ? 'On' : 'Off'}
        onClick={() => choose({ kind: 'emailFactor', enabled: !emailFactorEnabled })}
      />
    </Group>
  )
}

function Recovery({ overview, choose }: GroupProps) {
  const { questions, recoveryCodesLeft } = overview
  return (
    <Group title="Recovery" text="How you get back in if you lose your second step.">
      <SettingRow
        title="Recovery codes"
        details="Codes to keep in a safe place. Each code works once."
        state={recoveryCodesLeft === 0 ? 'None' : `${recoveryCodesLeft} of ${RECOVERY_CODES} left`}
        onClick={() => choose({ kind: 'recoveryCodes' })}
      />
      <SettingRow
        title="Recovery questions"
        details={
          questions.length === 0
            ? 'We ask one of three questions that you choose. We never show your answers.'
            : questions.map(({ question }) => question).join(' ')
        }
        state={questions.length === 0 ? 'None' : 'Set'}
        onClick={() => choose({ kind: 'questions' })}
      />
    </Group>
  )
}

function Devices({ overview, choose, time }: TimedProps) {
  const { sessions } = overview
  const others = sessions.filter(({ current }) => !current)
  return (
    <Group
      title="Devices"
      text={
        isManaged(overview)
          ? 'Log out any device you do not recognize, then tell your organization.'
          : 'Log out any device you do not recognize, then change your password.'
      }
    >
      {sessions.map(({ uuid, device: browser, network, method, signedInAt, current }) => {
        const device = method === 'operator' ? 'Our support team' : browser
        return (
          <Item
            key={uuid}
            title={current ? `${device} (this one)` : device}
            details={`${network}, since ${time(signedInAt)}, ${METHOD_LABELS[method]}`}
          >
            {!current && (
              <LinkButton
                aria-label={`Log out ${device}`}
                onClick={() => choose({ kind: 'endSession', uuid, device })}
              >
                Log out
              </LinkButton>
            )}
          </Item>
        )
      })}
      {others.length > 0 && (
        <SettingRow
          title="Log out everywhere else"
          details="Every device but this one has to log in again."
          onClick={() => choose({ kind: 'endSessions', which: 'others' })}
        />
      )}
      <SettingRow
        title="Log out everywhere"
        details="Every device has to log in again, including this one."
        onClick={() => choose({ kind: 'endSessions', which: 'all' })}
      />
    </Group>
  )
}

function Events({ overview: { events }, time }: Omit<TimedProps, 'choose'>) {
  return (
    <Group title="Recent activity">
      {events.map(({ at, kind, network }) => (
        <Item key={`${at}-${kind}`} title={eventLabel(kind)} details={`${time(at)}, ${network}`} />
      ))}
    </Group>
  )
}

function YourData({ choose }: Pick<GroupProps, 'choose'>) {
  return (
    <Group title="Your data">
      <SettingRow
        title="Download your data"
        details="Everything we store about your account, as a file."
        onClick={() => choose({ kind: 'exportData' })}
      />
      <SettingRow
        danger
        title="Delete your account"
        details="This is permanent. Your lender keeps what the law requires."
        onClick={() => choose({ kind: 'deleteAccount' })}
      />
    </Group>
  )
}
