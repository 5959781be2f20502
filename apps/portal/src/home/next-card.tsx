import { DEFAULT_REDIRECT } from '@portico/contracts/limits'
import type { AccountListItem } from '@portico/contracts/wallet'
import { passportPath } from '@portico/rules/gatekeeper'
import type { NextStep } from '@portico/rules/next-step'
import {
  createWalletAddress,
  verifyAddress,
  verifyWalletAddress,
} from '@portico/rules/wallet-redirects'
import { AnchorButton } from '@portico/ui/anchor-button'
import { Icon } from '@portico/ui/icon'
import { Skeleton } from '@portico/ui/skeleton'
import { PASSPORT_PATH, SECURITY_PATH } from '../routes.ts'
import styles from './home.module.css'

interface StepTexts {
  readonly title: string
  readonly text: string
  readonly minutes: number
  readonly button: string
}

const STEPS: Readonly<Record<NextStep, StepTexts>> = {
  'answer-reviewer': {
    title: 'We need more for your passport',
    text: 'Read what the reviewer asks for, change or add your answers, and submit them again.',
    minutes: 5,
    button: 'See what is missing',
  },
  'set-password': {
    title: 'Set a password',
    text: 'You log in with emailed codes only. With a password, you can log in when your mail is slow.',
    minutes: 1,
    button: 'Set a password',
  },
  'add-second-step': {
    title: 'Add a second step',
    text: 'With a passkey or another second step, a stolen password does not open your account.',
    minutes: 2,
    button: 'Choose a second step',
  },
  'get-wallet': {
    title: 'Get a wallet',
    text: 'A wallet holds your accounts. With it you sign, send and act for an organization.',
    minutes: 3,
    button: 'Get a wallet',
  },
  'verify-wallet': {
    title: 'Verify your wallet',
    text: 'Sign once with your wallet to prove that it is yours. Then you can act as its accounts.',
    minutes: 2,
    button: 'Verify your wallet',
  },
  'complete-passport': {
    title: 'Complete your passport',
    text: 'We saved what you have entered. Continue where you stopped.',
    minutes: 10,
    button: 'Continue',
  },
}

/** What to do next and why, or a short line if nothing is due. */
export function NextCard({
  step,
  wallets = [],
  returned = '',
}: {
  step: NextStep | 'loading' | 'nothing-due' | 'unknown'
  wallets?: readonly AccountListItem[] | undefined
  /** The passport for which a reviewer asked for more. */
  returned?: string | undefined
}) {
  switch (step) {
    case 'loading':
      return (
        <div className={styles.next}>
          <Skeleton shape="text" count={4} label="Loading what is next" />
        </div>
      )
    case 'nothing-due':
      return (
        <p className={styles.quiet} data-tone="ok">
          <Icon name="ok" />
          You are all set. There is nothing you need to do.
        </p>
      )
    case 'unknown':
      return (
        <p className={styles.quiet}>
          <Icon name="info" />
          We could not check what is next.
        </p>
      )
    default:
      return <StepCard step={step} href={hrefOf(step, wallets, returned)} />
  }
}

function StepCard({ step, href }: { step: NextStep; href: string }) {
  const { title, text, minutes, button } = STEPS[step]
  return (
    <section className={styles.next} aria-labelledby="next">
      <p className={styles.eyebrow}>Next</p>
      <h2 id="next">{title}</h2>
      <p>{text}</p>
      <div className={styles.action}>
        <AnchorButton href={href}>{button}</AnchorButton>
        <p className={styles.minutes}>
          <Icon name="clock" />
          About {minutes} {minutes === 1 ? 'minute' : 'minutes'}
        </p>
      </div>
    </section>
  )
}

function hrefOf(step: NextStep, wallets: readonly AccountListItem[], passportUuid: string): string {
  switch (step) {
    case 'answer-reviewer':
      return passportPath({ page: 'resume', passportUuid })
    case 'set-password':
      return `${SECURITY_PATH}?change=password`
    case 'add-second-step':
      return SECURITY_PATH
    case 'get-wallet':
      return createWalletAddress(DEFAULT_REDIRECT)
    case 'verify-wallet': {
      const address = wallets[0]?.authorizedWallets[0]?.address
      return address === undefined
        ? verifyAddress(DEFAULT_REDIRECT)
        : verifyWalletAddress(address, DEFAULT_REDIRECT)
    }
    case 'complete-passport':
      return PASSPORT_PATH
  }
}
