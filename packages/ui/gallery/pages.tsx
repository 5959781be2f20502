import type { ReactNode } from 'react'
import { Alert } from '../src/alert/alert.tsx'
import { NotFoundAnimation } from '../src/animation/not-found-animation.tsx'
import { AnchorButton } from '../src/button/anchor-button.tsx'
import { Button } from '../src/button/button.tsx'
import { Checkbox } from '../src/checkbox/checkbox.tsx'
import { Divider } from '../src/divider/divider.tsx'
import { ErrorScreen } from '../src/error-screen/error-screen.tsx'
import { Footer } from '../src/footer/footer.tsx'
import { Frame } from '../src/frame/frame.tsx'
import { Link } from '../src/link/link.tsx'
import { LinkButton } from '../src/link/link-button.tsx'
import { PasswordField } from '../src/password-field/password-field.tsx'
import { Stack } from '../src/stack/stack.tsx'
import { StrengthMeter } from '../src/strength-meter/strength-meter.tsx'
import { TextField } from '../src/text-field/text-field.tsx'
import { Accounts } from './parts.tsx'

const PHONE = { label: '(888) 555-0123', href: 'tel:+18885550123' }
const EMAIL = 'support@apollo-lending.example'

function Page({ company, children }: { company: string; children: ReactNode }) {
  return (
    <Frame
      logo={company}
      trust={`${company} is a licensed lender, NMLS #1234567. Equal Housing Lender.`}
      footer={
        <Footer
          links={[
            { label: 'Terms of Use', href: '#terms' },
            { label: 'Privacy Policy', href: '#privacy' },
            { label: 'Licenses', href: '#licenses' },
          ]}
          phone={PHONE}
          email={EMAIL}
          nmls="NMLS #1234567"
          badge="Equal Housing Lender"
        />
      }
    >
      {children}
    </Frame>
  )
}

/** The login page; `failing` has the longest texts and every error at once. */
export function LoginPage({ failing }: { failing: boolean }) {
  const company = failing ? 'Featherstonehaugh & Cholmondeley Home Lending' : 'Apollo'
  return (
    <Page company={company}>
      <Stack>
        <Stack gap="inside">
          <h1>Log in to {company}</h1>
          <p>
            New to {company}? <Link href="#register">Register here</Link>
          </p>
        </Stack>
        {failing && (
          <Alert tone="danger" title="We could not log you in">
            You're submitting requests too quickly; please give us a minute to process your last
            one.
          </Alert>
        )}
        <form onSubmit={(event) => event.preventDefault()} noValidate>
          <Stack gap="fields">
            <TextField
              label="Email"
              name="email"
              type="email"
              autoComplete="username"
              defaultValue={
                failing ? 'maximiliane.hohenstein-featherstonehaugh@longest-mail-domain' : ''
              }
              error={failing && 'Please enter a valid email.'}
            />
            <PasswordField
              label="Password"
              name="password"
              autoComplete="current-password"
              error={failing && 'Please enter your password.'}
            />
            <Checkbox label="Use one-time passcode for logging into my account" name="oneTime" />
            <Stack gap="inside">
              <Button type="submit" wide busy={failing} busyLabel="Logging in…">
                Log in
              </Button>
              <p>
                <LinkButton>Forgot Password</LinkButton>
              </p>
            </Stack>
          </Stack>
        </form>
        <Divider>or</Divider>
        <p>
          <Link href="#signer">Mortgage signer with access code</Link>
        </p>
      </Stack>
    </Page>
  )
}

/** The password step of registration. */
export function ResetPage() {
  return (
    <Page company="Hamilton">
      <Stack>
        <Stack gap="inside">
          <h1>Create your login</h1>
          <p>We'll need you to verify your email address and set a unique password.</p>
        </Stack>
        <Stack gap="fields">
          <PasswordField label="Password" autoComplete="new-password" />
          <StrengthMeter score={3} advice="This password is strong." />
          <PasswordField
            label="Confirm password"
            autoComplete="new-password"
            error="The confirmation and password don't match."
          />
        </Stack>
        <Button wide>Create login</Button>
      </Stack>
    </Page>
  )
}

/** The account choice of an organization. */
export function SelectPage() {
  return (
    <Page company="Outpost">
      <Stack>
        <h1>Choose an Account</h1>
        <p>Select the Individual Wallet that will be the controlling member of this Organization</p>
        <Accounts />
        <Button wide>Continue</Button>
      </Stack>
    </Page>
  )
}

/** The error screen in its page. */
export function ErrorPage() {
  return (
    <Page company="Novawulf">
      <ErrorScreen
        onRetry={() => location.reload()}
        dashboardHref="#dashboard"
        phone={PHONE}
        email={EMAIL}
      />
    </Page>
  )
}

/** The 404 page. */
export function NotFoundPage() {
  return (
    <Page company="Apollo">
      <Stack>
        <NotFoundAnimation />
        <h1>This page does not exist</h1>
        <p>The address may be mistyped, or the page has moved.</p>
        <p>
          <AnchorButton href="#login">Go to the login page</AnchorButton>
        </p>
      </Stack>
    </Page>
  )
}
