import type { BotCheck } from '@portico/contracts/page-data'
import { Link } from '@portico/ui/link'
import type { ReactNode } from 'react'
import styles from './bot-check-notice.module.css'

const NOTICES: Readonly<Record<BotCheck['kind'], ReactNode>> = {
  altcha:
    'This page is protected by a check that runs in your browser to keep automated programs out. It involves no third party and no tracking.',
  recaptcha: (
    <>
      This site is protected by reCAPTCHA and the Google{' '}
      <Link href="https://policies.google.com/privacy">Privacy Policy</Link> and{' '}
      <Link href="https://policies.google.com/terms">Terms of Service</Link> apply.
    </>
  ),
  turnstile: (
    <>
      This site is protected by Cloudflare Turnstile; its{' '}
      <Link href="https://www.cloudflare.com/privacypolicy/">Privacy Policy</Link> and{' '}
      <Link href="https://www.cloudflare.com/website-terms/">Terms of Use</Link> apply.
    </>
  ),
  off: undefined,
}

/** The bot-check notice (§2.3); renders nothing when the check is off. */
export function BotCheckNotice({ kind }: { kind: BotCheck['kind'] }) {
  const notice = NOTICES[kind]
  return notice === undefined ? null : <p className={styles.notice}>{notice}</p>
}
