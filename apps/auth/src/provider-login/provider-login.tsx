import { PASSCODE_LIFETIME_MS, ROUTER_BASE } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import { hyphenatedName } from '@portico/rules/branding'
import { loginPasscodeError } from '@portico/rules/field-errors'
import { userTypeOf } from '@portico/rules/provider-admission'
import type { Failure } from '@portico/shell/failure'
import { FailureAlert } from '@portico/shell/failure-alert'
import { FailureWithRetry } from '@portico/shell/failure-with-retry'
import { focusHere, useForm } from '@portico/shell/form'
import { useCall, useLoad } from '@portico/shell/use-call'
import { Waiting } from '@portico/shell/waiting'
import { Button } from '@portico/ui/button'
import { CodeField } from '@portico/ui/code-field'
import { Link } from '@portico/ui/link'
import { Stack } from '@portico/ui/stack'
import { useEffect, useRef, useState } from 'react'
import { useEnvironment } from '../environment.ts'
import { SessionStart } from '../session-start/session-start.tsx'
import { connectAccount, lookUpIdentity, redeemProviderLogin } from './provider-calls.ts'
import { storedLogins } from './stored-login.ts'

export { beginProviderLogin, logOutAtProvider } from './provider-calls.ts'

const MINUTES = PASSCODE_LIFETIME_MS / 60_000

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
  return query.get('step') === 'link' ? (
    <ConnectAccount page={page} login={login} search={stored?.search ?? ''} onConnected={setJwt} />
  ) : (
    <Redeem page={page} login={login} search={stored?.search ?? ''} onRedeemed={setJwt} />
  )
}

/** Why a state is worth nothing: it was redeemed before, belongs to other users, or never was one. */
const OVER = ['session-ended', 'user-type-refused', 'invalid-request']

const loginPath = (search: string) => `${ROUTER_BASE}/login${search === '' ? '' : `?${search}`}`

type Login = Parameters<typeof redeemProviderLogin>[1]

function Redeem({
  page,
  login,
  search,
  onRedeemed,
}: {
  page: PageData
  login: Login
  search: string
  onRedeemed: (jwt: string) => void
}) {
  const { client, navigate, reportError } = useEnvironment()
  const { result, failure, retry } = useLoad(
    (signal) => redeemProviderLogin(client, login, signal),
    reportError,
  )
  // The page was reloaded or reached by Back: the login page continues with the session, or shows its form.
  const isOver = OVER.includes(failure?.reason ?? '')
  useEffect(() => {
    if (result !== undefined) onRedeemed(result)
    else if (isOver) navigate(loginPath(search))
  }, [result, isOver, search, onRedeemed, navigate])
  return failure === undefined || isOver ? (
    <Waiting />
  ) : (
    <FailureWithRetry failure={failure} supportPhone={page.supportPhone} onRetry={retry} />
  )
}

/** Starts the session once the user is found at the broker or here. */
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
  if (failure !== undefined) {
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

/** Proof that an existing account belongs to the user: the passcode that was mailed to it. */
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
  const { client, reportError } = useEnvironment()
  const { pending, failure, run } = useCall(reportError)
  const form = useRef<HTMLFormElement>(null)
  const { field, submit } = useForm({ code: ({ code }) => loginPasscodeError(code) })
  const company = hyphenatedName(page.organization.orgMetaData.companyInfo)
  const provider = page.providers.find(({ userType }) => userType === login.userType)?.name
  return (
    <Stack>
      <Stack gap="inside">
        <h1 tabIndex={-1}>Connect your account</h1>
        <p>
          You already have an account with {company}. We sent a passcode to its email address. Enter
          it once, and from then on you log in with {provider ?? 'your organization'}.
        </p>
        <p>It is valid for {MINUTES} minutes.</p>
      </Stack>
      <FailureAlert failure={failure} supportPhone={page.supportPhone} />
      <form
        ref={form}
        method="post"
        noValidate
        onSubmit={submit(({ code }) =>
          run((signal) => connectAccount(client, { ...login, token: code }, signal), onConnected),
        )}
      >
        <Stack gap="fields">
          <CodeField
            {...field('code')}
            ref={focusHere}
            label="One-time passcode"
            hint="6 digits"
            onComplete={() => form.current?.requestSubmit()}
          />
          <Button type="submit" wide busy={pending} busyLabel="Checking…">
            Continue
          </Button>
        </Stack>
      </form>
      <p>
        Didn't get it? Check your spam folder, or <Link href={loginPath(search)}>start again</Link>.
      </p>
    </Stack>
  )
}
