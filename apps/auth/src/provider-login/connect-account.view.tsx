import { PASSCODE_LIFETIME_MS } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import { hyphenatedName } from '@portico/rules/branding'
import { Link } from '@portico/ui/link'
import { Stack } from '@portico/ui/stack'
import type { ReactNode } from 'react'
import type { CodePrompt } from '../one-time-code/one-time-code.tsx'

const MINUTES = PASSCODE_LIFETIME_MS / 60_000

/** The page that connects an existing account to an identity provider, around the code entry. */
export function ConnectAccountPage({
  page,
  provider = 'your organization',
  loginPath,
  children,
}: {
  page: PageData
  provider: string | undefined
  loginPath: string
  children: (prompt: CodePrompt) => ReactNode
}) {
  const company = hyphenatedName(page.organization.orgMetaData.companyInfo)
  return (
    <Stack>
      <h1 tabIndex={-1}>Connect your account</h1>
      {children({
        intro: (
          <>
            You already have an account with {company}. We sent a passcode to its email address.
            Enter it once to log in with {provider} from now on. It is valid for {MINUTES} minutes.
          </>
        ),
        label: 'One-time passcode',
      })}
      <p>
        <Link href={loginPath}>Start again</Link>
      </p>
    </Stack>
  )
}
