import { ROUTER_BASE } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import { loginPasscodeError } from '@portico/rules/field-errors'
import { userTypeOf } from '@portico/rules/provider-admission'
import type { Failure } from '@portico/shell/failure'
import { FailureAlert } from '@portico/shell/failure-alert'
import { FailureWithRetry } from '@portico/shell/failure-with-retry'
import { useLoad } from '@portico/shell/use-call'
import { Waiting } from '@portico/shell/waiting'
import { Link } from '@portico/ui/link'
import { Stack } from '@portico/ui/stack'
import { useEffect, useState } from 'react'
import { useEnvironment } from '../environment.ts'
import { OneTimeCode } from '../one-time-code/one-time-code.tsx'
import { SecondFactor } from '../second-factor.tsx'
import { SessionStart } from '../session-start/session-start.tsx'
import { ConnectAccountPage } from './connect-account.view.tsx'
import {
  connectAccount,
  lookUpIdentity,
  redeemProviderLogin,
  sendLinkCode,
} from './provider-calls.ts'
import { storedLogins } from './stored-login.ts'

export { beginProviderLogin, logOutAtProvider } from './provider-calls.ts'

type ReturnProps = { page: PageData; query: URLSearchParams }

/** The page to which an identity provider returns the user (§4.4): connects an account if necessary, and starts the session. */
export function ProviderLogin({ page, query }: ReturnProps) {
  const { storage } = useEnvironment()
  const state = query.get('state') ?? ''
  const [stored] = useState(() => storedLogins(storage).read(state))
  const [jwt, setJwt] = useState<string>()
  const providerType = page.session === null ? page.providers[0]?.userType : undefined
  const userType =
    stored?.userType ?? providerType ?? userTypeOf(page.session?.profileType ?? 'CUSTOMER')
  const login = { userType, state }
  if (jwt !== undefined) {
    return <Continue page={page} login={login} jwt={jwt} search={stored?.search ?? ''} />
  }
  // Back returns here after the login that connected the account has started its session.
  const isOver = stored === undefined && page.session?.method === 'provider'
  return query.get('step') === 'link' && !isOver ? (
    <ConnectAccount page={page} login={login} search={stored?.search ?? ''} onConnected={setJwt} />
  ) : (
    <Redeem page={page} login={login} stored={stored} onRedeemed={setJwt} />
  )
}

/** Shown if the page was opened too late to receive the session's token. */
const EXPIRED: Failure = {
  notices: ['This login has expired. Please start again from the login page.'],
  reason: 'provider-login-expired',
}

/** Error codes for a state that was already redeemed, belongs to other users, or never existed. */
const UNUSABLE_STATE = [
  'session-ended',
  'code-used',
  'first-factor-expired',
  'user-type-refused',
  'invalid-request',
]

const loginPath = (search: string) => `${ROUTER_BASE}/login${search === '' ? '' : `?${search}`}`

type Login = Parameters<typeof redeemProviderLogin>[1]

function Redeem({
  page,
  login,
  stored,
  onRedeemed,
}: {
  page: PageData
  login: Login
  stored: { readonly search: string } | undefined
  onRedeemed: (jwt: string) => void
}) {
  const { client, navigate, reportError } = useEnvironment()
  const { result, failure, retry } = useLoad(
    (signal) => redeemProviderLogin(client, login, signal),
    reportError,
  )
  const isUnusable = UNUSABLE_STATE.includes(failure?.reason ?? '')
  // This tab's own login is stored until it has completed.
  const isExpired = isUnusable && stored !== undefined
  const { jwt, twoFactorOptions } = result ?? {}
  useEffect(() => {
    if (jwt !== undefined) onRedeemed(jwt)
    // The page was reached by Back: the login page continues with the session, or shows its form.
    else if (isUnusable && !isExpired) navigate(loginPath(''))
  }, [jwt, isUnusable, isExpired, onRedeemed, navigate])
  if (isExpired) return <NotLoggedIn page={page} failure={EXPIRED} />
  if (twoFactorOptions !== undefined) {
    return (
      <SecondFactor
        options={twoFactorOptions}
        position={undefined}
        supportPhone={page.supportPhone}
        send={(event) => {
          if (event.type === 'secondFactorRedeemed') onRedeemed(event.jwt)
          else navigate(loginPath(stored?.search ?? ''))
        }}
      />
    )
  }
  return failure === undefined || isUnusable ? (
    <Waiting />
  ) : (
    <FailureWithRetry failure={failure} supportPhone={page.supportPhone} onRetry={retry} />
  )
}

/** Starts the session once the user is found at the broker or among our own identities. */
function Continue({
  page,
  login: { userType, state },
  jwt,
  search,
}: {
  page: PageData
  login: Login
  jwt: string
  search: string
}) {
  const { client, storage } = useEnvironment()
  const [failure, setFailure] = useState<Failure>()
  if (failure !== undefined) return <NotLoggedIn page={page} failure={failure} />
  return (
    <>
      <Waiting />
      <SessionStart
        jwt={jwt}
        email={page.session?.email ?? ''}
        query={new URLSearchParams(search)}
        supportPhone={page.supportPhone}
        lookUp={async (signal) => {
          const isFound = await lookUpIdentity(client, { userType, jwt }, signal)
          if (isFound) storedLogins(storage).remove(state)
          return isFound
        }}
        onFailed={setFailure}
      />
    </>
  )
}

/** The login has started a session whose token this page does not have, so the way back ends it. */
function NotLoggedIn({ page, failure }: { page: PageData; failure: Failure }) {
  return (
    <Stack>
      <h1 tabIndex={-1}>You are not logged in</h1>
      <FailureAlert failure={failure} supportPhone={page.supportPhone} />
      <p>
        <Link href={`${ROUTER_BASE}/logout`}>Go to the login page</Link>
      </p>
    </Stack>
  )
}

/** Verifies that an existing account belongs to the user, with a passcode emailed to it. */
function ConnectAccount({
  page,
  login,
  search,
  onConnected,
}: {
  page: PageData
  login: Login
  search: string
  onConnected: (jwt: string) => void
}) {
  const { client } = useEnvironment()
  const provider = page.providers.find(({ userType }) => userType === login.userType)?.name
  return (
    <ConnectAccountPage page={page} provider={provider} loginPath={loginPath(search)}>
      {(prompt) => (
        <OneTimeCode
          email=""
          loginUuid=""
          justSent
          codeError={loginPasscodeError}
          prompt={prompt}
          supportPhone={page.supportPhone}
          redeem={async (code, signal) => ({
            kind: 'signedIn',
            jwt: await connectAccount(client, { ...login, token: code }, signal),
          })}
          sendAnother={async (signal) => {
            await sendLinkCode(client, login, signal)
            return { uuid: '' }
          }}
          onResent={() => undefined}
          onResult={(result) => {
            if (result.kind === 'redeemed' && result.outcome.kind === 'signedIn') {
              onConnected(result.outcome.jwt)
            }
          }}
        />
      )}
    </ConnectAccountPage>
  )
}
