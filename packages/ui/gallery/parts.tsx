import { type ReactNode, useState } from 'react'
import { Alert } from '../src/alert/alert.tsx'
import { NotFoundAnimation } from '../src/animation/not-found-animation.tsx'
import { Banner } from '../src/banner/banner.tsx'
import { AnchorButton } from '../src/button/anchor-button.tsx'
import { Button } from '../src/button/button.tsx'
import { CardOption, CardSelect } from '../src/card-select/card-select.tsx'
import { Checkbox } from '../src/checkbox/checkbox.tsx'
import { CodeField } from '../src/code-field/code-field.tsx'
import { Dialog } from '../src/dialog/dialog.tsx'
import { Divider } from '../src/divider/divider.tsx'
import { Footer } from '../src/footer/footer.tsx'
import { Icon, type IconName } from '../src/icon/icon.tsx'
import { Link } from '../src/link/link.tsx'
import { LinkButton } from '../src/link/link-button.tsx'
import { LiveRegion } from '../src/live-region/live-region.tsx'
import { PasswordField } from '../src/password-field/password-field.tsx'
import { Skeleton } from '../src/skeleton/skeleton.tsx'
import { Spinner } from '../src/spinner/spinner.tsx'
import { Stack } from '../src/stack/stack.tsx'
import { StrengthMeter, type StrengthScore } from '../src/strength-meter/strength-meter.tsx'
import { TextField } from '../src/text-field/text-field.tsx'
import { ToastProvider, useToast } from '../src/toast/toast.tsx'

const ICONS: readonly IconName[] = [
  'check',
  'chevron',
  'close',
  'copy',
  'danger',
  'external',
  'eye',
  'eye-off',
  'house',
  'info',
  'mail',
  'ok',
  'phone',
  'warning',
]
const ROLES = [
  'surface',
  'surface-raised',
  'surface-sunken',
  'text',
  'text-muted',
  'line',
  'line-soft',
  'brand',
  'brand-hover',
  'on-brand',
  'brand-text',
  'brand-soft',
  'focus',
  'panel',
  'panel-shade',
  'on-panel',
  'on-panel-muted',
  'danger',
  'danger-hover',
  'on-danger',
  'danger-soft',
  'warn',
  'warn-soft',
  'ok',
  'ok-soft',
]
const ADVICE = [
  'Use at least 12 characters.',
  'Add another word or two. Uncommon words are better.',
  'Nearly enough. One more word will do.',
  'This password is strong.',
  'This password is very strong.',
]

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="section">
      <h2>{title}</h2>
      <div className="samples">{children}</div>
    </section>
  )
}

function Toasts() {
  const show = useToast()
  return (
    <>
      <Button
        kind="secondary"
        onClick={() => show({ tone: 'ok', text: 'Copied!', timeoutMs: 6000 })}
      >
        Copied!
      </Button>
      <Button
        kind="secondary"
        onClick={() => {
          for (let n = 1; n <= 7; n += 1) {
            show({
              tone: n % 2 ? 'info' : 'warn',
              text: `${n}. You're submitting requests too quickly; please give us a minute to process your last one.`,
              timeoutMs: 0,
            })
          }
        }}
      >
        Seven at once
      </Button>
    </>
  )
}

function Dialogs() {
  const [open, setOpen] = useState<'none' | 'code' | 'wide' | 'forced'>('none')
  const close = () => setOpen('none')
  return (
    <>
      <Button kind="secondary" onClick={() => setOpen('code')}>
        Code dialog
      </Button>
      <Button kind="secondary" onClick={() => setOpen('wide')}>
        Wide dialog
      </Button>
      <Button kind="secondary" onClick={() => setOpen('forced')}>
        Forced dialog
      </Button>
      <Dialog open={open === 'code'} title="Enter your one-time passcode" onClose={close}>
        <Stack>
          <p>
            We sent a code to maximiliane.hohenstein-featherstonehaugh@longest-mail-domain.example.
            It is valid for 10 minutes.
          </p>
          <CodeField label="Passcode" />
          <Button wide>Verify</Button>
          <LinkButton>Resend code</LinkButton>
        </Stack>
      </Dialog>
      <Dialog open={open === 'wide'} title="Choose an Account" width="wide" onClose={close}>
        <Stack>
          <Accounts />
          <Button wide>Continue</Button>
        </Stack>
      </Dialog>
      <Dialog open={open === 'forced'} title="Reset Password">
        <Stack>
          <p>Please reset your password to continue.</p>
          <Stack gap="fields">
            <PasswordField label="New password" autoComplete="new-password" />
            <StrengthMeter score={1} advice={String(ADVICE[1])} />
            <PasswordField label="Confirm password" autoComplete="new-password" />
          </Stack>
          <Button wide>Reset password</Button>
        </Stack>
      </Dialog>
    </>
  )
}

/** Account cards, as in the wallet modal. */
export function Accounts() {
  const [chosen, setChosen] = useState('a')
  return (
    <CardSelect label="Account" value={chosen} onChange={setChosen}>
      <CardOption value="a" title="Savings" detail="tp1qx...8f2ka" note="Owner" badge="Verified" />
      <CardOption
        value="b"
        title="Featherstonehaugh-Cholmondeley Family Revocable Living Trust"
        detail="tp1zz...0d9w3"
        note="Signing as Maximiliane Hohenstein"
      />
      <CardOption value="c" title="Old account" detail="tp1aa...77xyz" note="Owner" />
    </CardSelect>
  )
}

function Codes() {
  const [code, setCode] = useState('')
  const [done, setDone] = useState('')
  return (
    <div className="narrow">
      <CodeField
        label="Passcode"
        hint={done ? `Complete: ${done}` : 'The code is valid for 10 minutes.'}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        onComplete={setDone}
      />
      <CodeField label="Passcode" defaultValue="1234" error="The code must be 6 characters long." />
    </div>
  )
}

/** Every component in every state. */
export function Parts() {
  const [words, setWords] = useState('')
  return (
    <ToastProvider>
      <main className="parts">
        <h1>Components</h1>
        <Section title="Roles">
          {ROLES.map((role) => (
            <div key={role} className="role" data-role={role}>
              <span />
              {role}
            </div>
          ))}
        </Section>
        <Section title="Button">
          <Button>Log in</Button>
          <Button kind="secondary">Back</Button>
          <Button kind="quiet">Not now</Button>
          <Button kind="danger">Delete my account</Button>
          <Button busy busyLabel="Logging in…">
            Log in
          </Button>
          <Button kind="secondary" busy busyLabel="Sending…">
            Send email
          </Button>
          <Button disabled>Log in</Button>
          <AnchorButton kind="secondary" href="#anchor">
            Go To Dashboard
          </AnchorButton>
          <div className="narrow">
            <Button wide>
              Mortgage signer with access code and a very long further explanation
            </Button>
          </div>
        </Section>
        <Section title="Link">
          <p>
            New to Apollo? <Link href="#register">Register here</Link>
          </p>
          <LinkButton>Forgot Password</LinkButton>
          <LinkButton disabled>Resend code in 5 s</LinkButton>
        </Section>
        <Section title="Text field">
          <div className="narrow">
            <TextField label="Email" type="email" hint="We never share it." />
            <TextField
              label="Email"
              defaultValue="not-an-address"
              error="Please enter a valid email."
            />
            <TextField
              label="Email"
              defaultValue="invited@example.com"
              disabled
              hint="If this is not your address, ask the sender for a new invite."
            />
          </div>
          <div className="narrow">
            <PasswordField
              label="Password"
              autoComplete="current-password"
              defaultValue="correct horse"
            />
            <PasswordField
              label="Password"
              autoComplete="current-password"
              error="Please enter your password."
            />
          </div>
          <Codes />
        </Section>
        <Section title="Checkbox">
          <div className="narrow">
            <Checkbox label="Use one-time passcode for logging into my account" />
            <Checkbox label="I agree to the electronic communications" defaultChecked />
            <Checkbox label="Disabled" disabled />
            <Checkbox label="Checked and disabled" disabled defaultChecked />
            <Checkbox
              label="I have read the terms"
              error="Please agree to the terms to continue."
            />
          </div>
        </Section>
        <Section title="Banner">
          <div className="narrow">
            <Stack gap="inside">
              <Banner
                variant="warn"
                message="Planned maintenance on Saturday from 2 to 4 am Eastern: you may not be able to log in."
                onDismiss={() => undefined}
              />
              <Banner variant="info" message="Our offices are closed on Monday." />
            </Stack>
          </div>
        </Section>
        <Section title="Alert">
          <div className="narrow">
            <Stack gap="inside">
              <Alert tone="danger" title="We could not log you in">
                Check your email and password and try again.
              </Alert>
              <Alert tone="warn" title="Wallet type is no longer supported">
                Convert it to go on.
              </Alert>
              <Alert tone="info">Continue your application by logging into your account.</Alert>
              <Alert tone="ok">Code successfully resent.</Alert>
            </Stack>
          </div>
        </Section>
        <Section title="Strength meter">
          <div className="narrow">
            {ADVICE.map((advice, score) => (
              <StrengthMeter key={advice} score={score as StrengthScore} advice={advice} />
            ))}
          </div>
        </Section>
        <Section title="Card select">
          <div className="narrow">
            <Accounts />
          </div>
        </Section>
        <Section title="Dialog">
          <Dialogs />
        </Section>
        <Section title="Toast">
          <Toasts />
        </Section>
        <Section title="Waiting">
          <Spinner label="Loading accounts…" />
          <div className="narrow">
            <Stack>
              <Skeleton shape="text" count={3} label="Loading text" />
              <Skeleton shape="field" label="Loading field" />
              <Skeleton shape="card" count={2} label="Loading accounts" />
            </Stack>
          </div>
        </Section>
        <Section title="Divider">
          <div className="narrow">
            <Divider>or</Divider>
          </div>
        </Section>
        <Section title="Live region">
          <Button kind="secondary" onClick={() => setWords(`Announced ${words.length}`)}>
            Announce
          </Button>
          <LiveRegion message={words} />
        </Section>
        <Section title="Icons">
          {ICONS.map((name) => (
            <span key={name} className="icon">
              <Icon name={name} />
              {name}
            </span>
          ))}
        </Section>
        <Section title="404">
          <NotFoundAnimation />
        </Section>
        <Section title="Footer">
          <Footer
            links={[
              { label: 'Terms of Use', href: '#terms' },
              { label: 'Privacy Policy', href: '#privacy' },
              { label: 'Licenses', href: '#licenses' },
            ]}
            phone={{ label: '(888) 555-0123', href: 'tel:+18885550123' }}
            email="support@lender.example"
            nmls="NMLS #1234567"
            badge="Equal Housing Lender"
            copyright="© 2026 Lender, Inc."
          />
        </Section>
      </main>
    </ToastProvider>
  )
}
