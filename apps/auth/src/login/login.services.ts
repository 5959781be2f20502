import { ApiError } from '@portico/client/api-error'
import { login, readIdentity, sendToken } from '@portico/contracts/identity'
import { PASSCODE_LIFETIME_MS } from '@portico/contracts/limits'
import { PAGE_MESSAGES } from '@portico/contracts/notices'
import type { PageProvider } from '@portico/contracts/page-data'
import { BEARER_PREFIX } from '@portico/contracts/storage-keys'
import { passkeyLogin, readPasskeyLogin } from '@portico/contracts/two-factor'
import type { Services } from '@portico/flow'
import type { Failure } from '@portico/shell/failure'
import { withRefusals } from '@portico/shell/failure-of'
import { botCheckHeaders } from '../bot-check/bot-check.ts'
import type { Environment } from '../environment.ts'
import { pendingCode } from '../pending-code.ts'
import { FIRST_FACTOR_EXPIRED, INITIAL_POSITION, pendingStep } from '../pending-step.ts'
import { leaveAfterNotice } from '../redirect-notice.ts'
import { requireOutcome } from '../require-outcome.ts'
import type { Command, Event } from './login.flow.ts'

export interface LoginDeps
  extends Pick<
    Environment,
    | 'botCheck'
    | 'client'
    | 'clock'
    | 'loadModule'
    | 'location'
    | 'navigate'
    | 'passkeys'
    | 'reportError'
    | 'storage'
    | 'telemetry'
    | 'wait'
  > {
  /** The page's email parameter; a pending code for a different address is not restored. */
  readonly email: string
  /** The identity providers of the organization's users. */
  readonly providers: readonly PageProvider[]
}

/** The time and address of the last code sent for `otp=true`, so that a reload or Back does not send another while it is valid. */
const SENT_AT_ONCE_KEY = 'sent-at-once'

/** Shown if the provider was turned off after the page loaded. */
const PROVIDER_NOT_AVAILABLE: Failure = {
  notices: [PAGE_MESSAGES['provider-not-available']],
  reason: 'provider-not-available',
}

/** Loaded on intent, so that it is there if the device goes offline. */
export const loadProviderLogin = () => import('../provider-login/provider-login.tsx')

export function loginServices(deps: LoginDeps): Services<Event, Command> {
  const { client, clock, passkeys, storage, email: requestedEmail } = deps
  const pending = pendingCode(storage, clock)
  const pendingSteps = pendingStep(storage, clock)

  function sentAlready(): boolean {
    const [, at, email] = /^(\d+) (.*)$/.exec(storage.read(SENT_AT_ONCE_KEY) ?? '') ?? []
    return email === requestedEmail && clock() - Number(at) < PASSCODE_LIFETIME_MS
  }

  async function openProvider(
    login: { userType: PageProvider['userType']; email?: string },
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { beginProviderLogin } = await deps.loadModule(loadProviderLogin)
    return beginProviderLogin(deps, login, signal)
  }

  /**
   * The login URL of the identity provider that serves this address (§4.4), if any. The server's answer depends on the
   * address's domain alone.
   */
  async function providerOf(
    email: string,
    { offered }: Pick<PageProvider, 'offered'>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    for (const { userType, ...provider } of deps.providers) {
      if (provider.offered !== offered) continue
      try {
        const redirect = await openProvider({ userType, email }, signal)
        if (redirect !== undefined) return redirect
      } catch {
        // If the provider is unreachable, fall back to our own login.
      }
    }
    return undefined
  }

  return withRefusals<Event, Command>({
    restoreProgress() {
      const matches = ({ email }: { email: string }) =>
        requestedEmail === '' || requestedEmail === email
      const step = pendingSteps.read()
      if (step !== undefined && matches(step) && step.method !== 'registration') {
        const { expired, since: _, ...context } = step
        if (!expired)
          return { type: 'secondFactorRestored', context: { ...context, method: step.method } }
        pendingSteps.remove()
        return { type: 'refused', failure: FIRST_FACTOR_EXPIRED }
      }
      const code = pending.read()
      return code !== undefined && matches(code) && code.purpose !== 'registration'
        ? {
            type: 'codeRestored',
            method: code.purpose === 'login' ? 'passcode' : 'forgotten',
            email: code.email,
            loginUuid: code.loginUuid,
          }
        : { type: 'nothingToRestore', sentAlready: sentAlready() }
    },
    async openProvider({ userType }, signal) {
      const to = await openProvider({ userType }, signal)
      return to === undefined
        ? { type: 'refused', failure: PROVIDER_NOT_AVAILABLE }
        : { type: 'loginRedirected', to }
    },
    async logIn({ email, password }, signal) {
      const to = await providerOf(email, { offered: true }, signal)
      if (to !== undefined) return { type: 'loginRedirected', to }
      const headers = await botCheckHeaders(deps)
      try {
        const answer = await client(login, { body: { email, password }, headers, signal })
        return { type: 'loggedIn', outcome: requireOutcome(answer) }
      } catch (error) {
        // An account that a provider manages has no password here. An experiment may hide the provider, but not lock its
        // people out; everyone else's password counts first.
        const isRefused = error instanceof ApiError && error.reason === 'wrong-credentials'
        const instead = isRefused && (await providerOf(email, { offered: false }, signal))
        if (instead) return { type: 'loginRedirected', to: instead }
        throw error
      }
    },
    async offerPasskeys(_, signal) {
      if (!passkeys.supported()) return undefined
      try {
        if (!(await passkeys.supportsAutofill())) return undefined
        const { challengeUuid, options } = await client(readPasskeyLogin, { body: {}, signal })
        const response = await passkeys.offer(options, signal)
        return response && { type: 'passkeySelected', challengeUuid, response }
      } catch {
        // Passkey autofill is optional. If it is unavailable, the form still works.
        return undefined
      }
    },
    async logInByPasskey({ challengeUuid, response }, signal) {
      const answer = await client(passkeyLogin, { body: { challengeUuid, response }, signal })
      return { type: 'loggedIn', outcome: requireOutcome(answer) }
    },
    async sendCode({ email, method }, signal) {
      const to =
        method === 'passcode' ? await providerOf(email, { offered: true }, signal) : undefined
      if (to !== undefined) return { type: 'loginRedirected', to }
      const { uuid, redirect } = await client(sendToken, { body: { email }, signal })
      if (email === requestedEmail) storage.write(SENT_AT_ONCE_KEY, `${clock()} ${email}`)
      if (redirect !== undefined) return { type: 'loginRedirected', to: redirect }
      const purpose = method === 'forgotten' ? 'forgotten' : 'login'
      pending.write({ purpose, email, loginUuid: uuid })
      return { type: 'codeSent', loginUuid: uuid }
    },
    savePendingStep: ({ context }) =>
      pendingSteps.write({ ...context, position: INITIAL_POSITION }),
    async readPassword({ jwt }, signal) {
      const headers = { authorization: `${BEARER_PREFIX}${jwt}` }
      const { hasPassword = true } = await client(readIdentity, { headers, signal })
      return { type: 'passwordRead', hasPassword }
    },
    clearPendingCode: () => pending.remove(),
    leave: ({ to }, signal) => leaveAfterNotice(deps, to, signal),
  })
}
