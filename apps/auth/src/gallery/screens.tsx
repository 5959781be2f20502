import { ERROR_CATALOG } from '@portico/contracts/error-catalog'
import type { GALLERY_SCREENS } from '@portico/contracts/gallery'
import type { PageData } from '@portico/contracts/page-data'
import { hyphenatedName } from '@portico/rules/branding'
import { loginPasscodeError } from '@portico/rules/field-errors'
import { loginPage } from '@portico/rules/login-page'
import type { SecondFactor, SecondFactors } from '@portico/rules/second-factor'
import { ConfirmationView } from '@portico/shell/confirmation-view'
import { FailureScreen } from '@portico/shell/error-boundary'
import type { Failure } from '@portico/shell/failure'
import { NewPasswordView } from '@portico/shell/new-password-view'
import { Dialog } from '@portico/ui/dialog'
import { Stack } from '@portico/ui/stack'
import type { ReactNode } from 'react'
import type { State as Login } from '../login/login.flow.ts'
import { LoginView } from '../login/login.view.tsx'
import { OneTimeCodeView } from '../one-time-code/one-time-code.view.tsx'
import type { State as Partner } from '../partner-onboarding/partner-onboarding.flow.ts'
import {
  codePrompt,
  PartnerOnboardingView,
} from '../partner-onboarding/partner-onboarding.view.tsx'
import { ConnectAccountPage } from '../provider-login/connect-account.view.tsx'
import { Redirecting } from '../redirecting/redirecting.tsx'
import type { State as Registration } from '../registration/registration.flow.ts'
import { RegistrationView } from '../registration/registration.view.tsx'
import type { State as TwoFactor } from '../two-factor/two-factor.flow.ts'
import { TwoFactorView } from '../two-factor/two-factor.view.tsx'
import { Framed, nothing } from './framed.tsx'
import { SSO_SETUP_SCREENS } from './sso-setup-screens.tsx'
import { WALLET_SCREENS } from './wallet-screens.tsx'

const EMAIL = 'maximiliane.hohenstein@longest-mail-domain.example'
const WRONG_CREDENTIALS: Failure = { notices: [ERROR_CATALOG['wrong-credentials'].message] }
const WRONG_CODE: Failure = { notices: [ERROR_CATALOG['code-wrong'].message] }
const NOT_SENT: Failure = { notices: [ERROR_CATALOG['too-many-requests'].message] }
const USED_CODE: Failure = {
  notices: [ERROR_CATALOG['code-used'].message],
  reason: 'code-used',
}

const companyOf = (page: PageData) => hyphenatedName(page.organization.orgMetaData.companyInfo)

/** The login page in a given state, with an optional modal over it. */
function onLogin(page: PageData, state: Login, over?: ReactNode) {
  return (
    <Framed page={page}>
      <LoginView
        // A new key per step, so input from one state does not carry over to another.
        key={state.step}
        state={state}
        send={nothing}
        login={loginPage(companyOf(page), page.behaviors, new URLSearchParams())}
        providers={page.providers}
        company={companyOf(page)}
        botCheck={page.botCheck.kind}
        supportPhone={page.supportPhone}
        onIntent={nothing}
      />
      {over}
    </Framed>
  )
}

/** The page that connects an account to an identity provider. */
function connectAccount(page: PageData, failure?: Failure) {
  return (
    <Framed page={page}>
      <ConnectAccountPage page={page} provider="Northgale ID" loginPath="">
        {(prompt) => (
          <OneTimeCodeView
            state={{ step: 'entering', loginUuid: '', resend: 'ready', busy: false, failure }}
            send={nothing}
            email=""
            codeError={loginPasscodeError}
            prompt={prompt}
            supportPhone={page.supportPhone}
          />
        )}
      </ConnectAccountPage>
    </Framed>
  )
}

const FILLING: Login = { step: 'filling', method: 'password' }

const code = (page: PageData, more: { prompt?: ReturnType<typeof codePrompt> } = {}) => (
  <OneTimeCodeView
    state={{
      step: 'entering',
      loginUuid: '',
      resend: 'coolingDown',
      busy: false,
      failure: WRONG_CODE,
    }}
    send={nothing}
    email={EMAIL}
    codeError={loginPasscodeError}
    supportPhone={page.supportPhone}
    {...more}
  />
)

const password = (page: PageData, label: string) => (
  <NewPasswordView
    state={{
      step: 'choosing',
      strength: { score: 2, advice: 'Almost there. Another word or two would do.' },
    }}
    send={nothing}
    email={EMAIL}
    button={{ label, busyLabel: label }}
    supportPhone={page.supportPhone}
  />
)

const FACTORS_EMAIL = 'm•••@longest-mail-domain.example'
const FACTORS: SecondFactors = {
  methods: [
    { kind: 'email', alias: 'e', value: FACTORS_EMAIL },
    { kind: 'phone', alias: 'p', value: '•••-•••-0142' },
    { kind: 'totp' },
  ],
  additional: [{ kind: 'passkey' }, { kind: 'recoveryCode' }],
  offersRecovery: true,
}

const entering = (method: SecondFactor): Extract<TwoFactor, { step: 'entering' }> => ({
  step: 'entering',
  loginUuid: '',
  factors: FACTORS,
  sentAt: {},
  method,
  resend: 'ready',
  sentBefore: true,
  busy: false,
})

function twoFactor(page: PageData, state: Exclude<TwoFactor, { step: 'left' }>) {
  return onLogin(
    page,
    FILLING,
    <Dialog open title="Two-step verification" onClose={nothing}>
      <TwoFactorView
        state={state}
        send={nothing}
        clock={() => 0}
        supportPhone={page.supportPhone}
      />
    </Dialog>,
  )
}

function registration(page: PageData, state: Registration, children?: ReactNode) {
  return (
    <Framed page={page}>
      <RegistrationView
        state={state}
        send={nothing}
        email=""
        invited={false}
        loginHref="/login"
        documents={page.organization.orgMetaData.companyInfo}
        supportPhone={page.supportPhone}
        onIntent={nothing}
      >
        {children}
      </RegistrationView>
    </Framed>
  )
}

function partnerOnboarding(page: PageData, state: Partner, children?: ReactNode) {
  return (
    <Framed page={page} coBranded>
      <PartnerOnboardingView
        state={state}
        send={nothing}
        company={companyOf(page)}
        registerHref="/register"
        loginHref="/login"
        supportPhone={page.supportPhone}
      >
        {children}
      </PartnerOnboardingView>
    </Framed>
  )
}

const BORROWER = {
  borrower: { email: EMAIL, identityUuid: undefined, organization: '' },
  loginUuid: undefined,
}

/** Gallery screens by name. */
export const SCREENS: Readonly<
  Record<keyof (typeof GALLERY_SCREENS)['auth'], (page: PageData) => ReactNode>
> = {
  login: (page) => onLogin(page, FILLING),
  'login-refused': (page) => onLogin(page, { ...FILLING, failure: WRONG_CREDENTIALS }),
  'login-passcode': (page) => onLogin(page, { step: 'filling', method: 'forgotten' }),
  'login-working': (page) => onLogin(page, { step: 'loggingIn', method: 'password', email: EMAIL }),
  'one-time-code': (page) =>
    onLogin(
      page,
      { step: 'filling', method: 'passcode' },
      <Dialog open title="Enter your passcode" onClose={nothing}>
        {code(page)}
      </Dialog>,
    ),
  'connect-account': (page) => connectAccount(page),
  'connect-account-refused': (page) => connectAccount(page, WRONG_CODE),
  'two-factor-methods': (page) =>
    twoFactor(page, { step: 'selecting', loginUuid: '', factors: FACTORS, sentAt: {} }),
  'two-factor-code': (page) =>
    twoFactor(page, entering({ kind: 'email', alias: 'e', value: FACTORS_EMAIL })),
  'two-factor-unsent': (page) =>
    twoFactor(page, {
      ...entering({ kind: 'phone', alias: 'p', value: '•••-•••-0142' }),
      sentBefore: false,
      failure: NOT_SENT,
    }),
  'two-factor-app': (page) =>
    twoFactor(page, { ...entering({ kind: 'totp' }), resend: 'none', failure: WRONG_CODE }),
  'two-factor-passkey': (page) =>
    twoFactor(page, { ...entering({ kind: 'passkey' }), resend: 'none' }),
  'two-factor-question': (page) =>
    twoFactor(page, {
      step: 'answering',
      loginUuid: '',
      factors: FACTORS,
      sentAt: {},
      busy: false,
      asked: { uuid: 'q', question: 'What was the name of your first pet?' },
      failure: { notices: [ERROR_CATALOG['answer-wrong'].message] },
    }),
  'reset-password': (page) =>
    onLogin(
      page,
      FILLING,
      <Dialog open title="Reset Password">
        <Stack>
          <p>Please reset your password to continue.</p>
          {password(page, 'Reset password')}
        </Stack>
      </Dialog>,
    ),
  redirecting: (page) => onLogin(page, FILLING, <Redirecting />),
  register: (page) => registration(page, { step: 'email', after: { kind: 'session' } }),
  'register-code': (page) =>
    registration(
      page,
      { step: 'token', email: EMAIL, loginUuid: '', justSent: true, after: { kind: 'session' } },
      code(page),
    ),
  'register-password': (page) =>
    registration(
      page,
      { step: 'password', email: EMAIL, jwt: '', after: { kind: 'session' } },
      password(page, 'Create login'),
    ),
  'partner-code': (page) =>
    partnerOnboarding(
      page,
      { step: 'code', ...BORROWER, loginUuid: '', justSent: true },
      code(page, { prompt: codePrompt(EMAIL, companyOf(page)) }),
    ),
  'partner-password': (page) =>
    partnerOnboarding(
      page,
      { step: 'password', jwt: '', email: EMAIL, ...BORROWER },
      password(page, 'Create Password'),
    ),
  'partner-link': (page) =>
    partnerOnboarding(page, {
      step: 'confirming',
      ...BORROWER,
      loginUuid: '',
      code: '',
      busy: false,
    }),
  'partner-other-session': (page) =>
    partnerOnboarding(page, {
      step: 'otherSession',
      ...BORROWER,
      email: 'bartholomew.featherstonehaugh@another-long-domain.example',
    }),
  'partner-stopped': (page) =>
    partnerOnboarding(page, { step: 'stopped', ...BORROWER, failure: USED_CODE }),
  'confirm-login': (page) => (
    <Framed page={page}>
      <Stack>
        <h1 tabIndex={-1}>Confirm it's you</h1>
        <ConfirmationView
          state={{ step: 'entering', method: 'totp', busy: false }}
          send={nothing}
          methods={['totp', 'passcode']}
          email={EMAIL}
          supportPhone={page.supportPhone}
          purpose="login"
        />
      </Stack>
    </Framed>
  ),
  error: (page) => (
    <Framed page={page}>
      <FailureScreen
        supportPhone={page.supportPhone}
        supportEmail={page.organization.orgMetaData.companyInfo.supportEmail}
        signedIn
        onRetry={nothing}
      />
    </Framed>
  ),
  ...SSO_SETUP_SCREENS,
  ...WALLET_SCREENS,
}
