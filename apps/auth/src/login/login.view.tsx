import { PASSCODE_LIFETIME_MS } from '@portico/contracts/limits'
import type { BotCheck, PageProvider } from '@portico/contracts/page-data'
import { emailError, loginPasswordError } from '@portico/rules/field-errors'
import type { LoginPage } from '@portico/rules/login-page'
import { FailureAlert } from '@portico/shell/failure-alert'
import { focusField, useForm } from '@portico/shell/form'
import { Button } from '@portico/ui/button'
import { Checkbox } from '@portico/ui/checkbox'
import { Divider } from '@portico/ui/divider'
import { Link } from '@portico/ui/link'
import { LinkButton } from '@portico/ui/link-button'
import { PasswordField } from '@portico/ui/password-field'
import { Stack } from '@portico/ui/stack'
import { TextField } from '@portico/ui/text-field'
import { BotCheckNotice } from '../bot-check-notice/bot-check-notice.tsx'
import { RouteLink } from '../route-link.tsx'
import type { Event, State } from './login.flow.ts'

export type LoginViewProps = {
  state: State
  send: (event: Event) => void
  login: LoginPage
  /** The identity provider that a mailed link names. Its button comes first. */
  named?: PageProvider | undefined
  /** The other identity providers to log in with instead. */
  providers: readonly PageProvider[]
  company: string
  botCheck: BotCheck['kind']
  supportPhone: string
  /** Called on the first sign that the user is about to log in. */
  onIntent: () => void
}

/** Headings longer than this are set smaller on narrow screens. */
const LONG_HEADING = 32

const SIGNER_LOGIN = '/account/heloc/heloc-signer/login'
const MINUTES = PASSCODE_LIFETIME_MS / 60_000

/** The login page (§2.3). */
export function LoginView(props: LoginViewProps) {
  const { state, send, login, named, providers, company, botCheck, supportPhone, onIntent } = props
  const providerButton = ({ userType, name }: PageProvider) => (
    <Button
      key={userType}
      kind="secondary"
      wide
      busy={state.step === 'openingProvider' && state.userType === userType}
      busyLabel={`Opening ${name}…`}
      onClick={() => send({ type: 'providerChosen', userType })}
      onFocus={onIntent}
      onPointerEnter={onIntent}
    >
      Log in with {name}
    </Button>
  )
  return (
    <Stack>
      <Stack gap="inside">
        <h1 tabIndex={-1} data-long={login.heading.length > LONG_HEADING || undefined}>
          {login.heading}
        </h1>
        {login.registerHref && (
          <p>
            New to {company}? <RouteLink href={login.registerHref}>Register here</RouteLink>
          </p>
        )}
        {login.newUser && (
          <>
            <p>Continue your application by logging into your account.</p>
            <p>A one-time passcode is valid for {MINUTES} minutes.</p>
          </>
        )}
      </Stack>
      {state.step === 'filling' && (
        <FailureAlert failure={state.failure} supportPhone={supportPhone} />
      )}
      {named && (
        <>
          {providerButton(named)}
          <Divider>or</Divider>
        </>
      )}
      <LoginForm {...props} />
      {(login.signerLink || providers.length > 0) && <Divider>or</Divider>}
      {providers.map(providerButton)}
      {login.signerLink && (
        <p>
          <Link href={SIGNER_LOGIN}>Mortgage signer with access code</Link>
        </p>
      )}
      <BotCheckNotice kind={botCheck} />
    </Stack>
  )
}

function LoginForm({ state, send, login, onIntent }: LoginViewProps) {
  const byPassword = state.method === 'password'
  const { field, submit } = useForm({
    email: ({ email }) => emailError(email),
    password: ({ password }) => (byPassword ? loginPasswordError(password) : undefined),
  })
  const onSubmit = submit(({ email, password }) =>
    send(
      byPassword
        ? { type: 'passwordSubmitted', email, password }
        : { type: 'emailSubmitted', email },
    ),
  )
  return (
    <form method="post" noValidate onSubmit={onSubmit} onPointerEnter={onIntent}>
      <Stack gap="fields">
        <TextField
          {...field('email')}
          onFocus={onIntent}
          label="Email"
          type="email"
          autoComplete="username webauthn"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={login.email}
          hint={HINTS[state.method]}
        />
        {/* Hidden rather than unmounted, so the typed password survives switching methods. */}
        <div hidden={!byPassword}>
          <PasswordField
            {...field('password')}
            onFocus={onIntent}
            label="Password"
            autoComplete="current-password"
          />
        </div>
        <Checkbox
          label="Use one-time passcode for logging into my account"
          checked={!byPassword}
          onChange={({ currentTarget: { checked } }) =>
            send({ type: 'methodChosen', method: checked ? 'passcode' : 'password' })
          }
        />
        <Button
          type="submit"
          wide
          busy={isBusy(state)}
          busyLabel={byPassword ? 'Logging in…' : 'Sending email…'}
        >
          {byPassword ? 'Log in' : 'Send email'}
        </Button>
        {byPassword && (
          <p>
            <LinkButton
              onClick={({ currentTarget }) => {
                // This button disappears with the password field, so move focus to the email field.
                focusField(currentTarget, 'email')
                send({ type: 'methodChosen', method: 'forgotten' })
              }}
            >
              Forgot Password
            </LinkButton>
          </p>
        )}
      </Stack>
    </form>
  )
}

const HINTS: Readonly<Record<State['method'], string | undefined>> = {
  password: undefined,
  passcode: 'We will send a one-time passcode to this address.',
  forgotten: 'We will send a one-time passcode to this address; then you can set a new password.',
}

function isBusy({ step }: State): boolean {
  return !['filling', 'openingProvider', 'secondFactor', 'enteringCode'].includes(step)
}
