import { ApiError } from '@portico/client/api-error'
import type { Parsed } from '@portico/contracts/call'
import {
  logout,
  readIdentity,
  readRegistrationVerification,
  redeemToken,
  sendToken,
} from '@portico/contracts/identity'
import { sendContinueApplicationEmail } from '@portico/contracts/lead-portal'
import { DEFAULT_REDIRECT, ROUTER_BASE } from '@portico/contracts/limits'
import { BEARER_PREFIX } from '@portico/contracts/storage-keys'
import type { Services } from '@portico/flow'
import { partnerOnboardingStep } from '@portico/rules/partner-onboarding-step'
import type { Failure } from '@portico/shell/failure'
import { failureOf, withRefusals } from '@portico/shell/failure-of'
import { botCheckHeaders } from '../bot-check/bot-check.ts'
import type { Environment } from '../environment.ts'
import type { SentCode } from '../one-time-code/one-time-code.tsx'
import { leaveAfterNotice } from '../redirect-notice.ts'
import { requireOutcome } from '../require-outcome.ts'
import { type Borrower, queryAfter } from './arrival.ts'
import type { Command, Event, TokenOwner } from './partner-onboarding.flow.ts'

export interface PartnerOnboardingDeps
  extends Pick<
    Environment,
    'botCheck' | 'client' | 'jwt' | 'location' | 'navigate' | 'reportError' | 'telemetry' | 'wait'
  > {
  /** Whether the server rendered the page with a session. */
  readonly hasSession: boolean
  /** Replaces the query in the page's URL. */
  readonly replaceQuery: (query: URLSearchParams) => void
}

type SendDeps = Pick<Environment, 'botCheck' | 'client' | 'reportError'>

export function partnerOnboardingServices(deps: PartnerOnboardingDeps): Services<Event, Command> {
  const { client, jwt: stored, location, navigate, telemetry, hasSession, replaceQuery } = deps
  return withRefusals<Event, Command>({
    async findSession({ borrower, loginUuid }, signal) {
      const jwt = stored.read()?.replace(BEARER_PREFIX, '')
      if (hasSession && jwt !== undefined) {
        try {
          return {
            type: 'sessionFound',
            jwt,
            owner: ownerOf(await client(readIdentity, { signal })),
          }
        } catch (error) {
          if (!isSessionEnded(error)) throw error
        }
      }
      const code = new URLSearchParams(location().hash.slice(1)).get('code')
      // Every link we mail contains the email address, so the user sees which account the button opens (login CSRF).
      return loginUuid === undefined || code === null || borrower.email === undefined
        ? { type: 'nothingFound' }
        : { type: 'linkOpened', loginUuid, code }
    },
    async logOut(_, signal) {
      stored.remove()
      await client(logout, { signal })
      return { type: 'sessionEnded' }
    },
    async verify({ borrower, loginUuid }, signal) {
      const query = {
        ...borrowerQuery(borrower),
        ...(loginUuid === undefined ? {} : { loginUuid }),
      }
      const verification = await client(readRegistrationVerification, { query, signal })
      return { type: 'verified', next: partnerOnboardingStep(verification, loginUuid) }
    },
    async sendToken({ email }, signal) {
      const { uuid, redirect } = await client(sendToken, { body: { email }, signal })
      return redirect === undefined
        ? { type: 'codeSent', loginUuid: uuid }
        : { type: 'loginRedirected', to: redirect }
    },
    async sendContinueEmail({ borrower }, signal) {
      return { type: 'codeSent', loginUuid: await sendContinueEmail(deps, borrower, signal) }
    },
    async redeem({ loginUuid, code }, signal) {
      try {
        const answer = await client(redeemToken, { body: { loginUuid, token: code }, signal })
        return { type: 'codeRedeemed', outcome: requireOutcome(answer) }
      } catch (error) {
        return { type: 'refused', failure: firstFailureOf(error) }
      }
    },
    storeJwt: ({ jwt }) => stored.write(jwt),
    async readIdentity({ jwt }, signal) {
      try {
        const headers = { authorization: `${BEARER_PREFIX}${jwt}` }
        return {
          type: 'identityRead',
          owner: ownerOf(await client(readIdentity, { headers, signal })),
        }
      } catch (error) {
        if (error instanceof ApiError && error.status === 401)
          return { type: 'identityUnavailable' }
        throw error
      }
    },
    updateAddress({ loginUuid, step }) {
      const query = location().searchParams
      if (loginUuid !== undefined) query.set('loginUuid', loginUuid)
      if (step === 2) query.set('step', '2')
      else query.delete('step')
      replaceQuery(query)
    },
    trackRegistration: () => telemetry.registered(),
    goToLogin: () => navigate(`${ROUTER_BASE}/login?${queryAfter(location().searchParams)}`),
    goToDashboard: () => navigate(DEFAULT_REDIRECT),
    leave: ({ to }, signal) => leaveAfterNotice(deps, to, signal),
  })
}

/** Sends the borrower another code. */
export async function sendAnother(
  deps: SendDeps,
  borrower: Borrower,
  signal: AbortSignal,
): Promise<SentCode> {
  return borrower.email === undefined
    ? { uuid: await sendContinueEmail(deps, borrower, signal) }
    : deps.client(sendToken, { body: { email: borrower.email }, signal })
}

/** The failure of a rejected code: only the first of several errors is shown (§8). */
export function firstFailureOf(error: unknown): Failure {
  const failure = failureOf(error)
  return { ...failure, notices: failure.notices.slice(0, 1) }
}

async function sendContinueEmail(
  deps: SendDeps,
  borrower: Borrower,
  signal: AbortSignal,
): Promise<string> {
  const { identityUuid, email = '', organization } = borrower
  const body =
    identityUuid === undefined
      ? { borrowerIdentifier: { borrowerEmail: email, organization } }
      : { borrowerIdentityUuid: identityUuid }
  const headers = await botCheckHeaders(deps)
  return (await deps.client(sendContinueApplicationEmail, { body, headers, signal })).loginUuid
}

const borrowerQuery = ({ identityUuid, email = '', organization }: Borrower) =>
  identityUuid === undefined ? { borrowerEmail: email, organization } : { identityUuid }

function ownerOf({
  identity,
  passwordExpired,
}: Parsed<(typeof readIdentity)['answer']>): TokenOwner {
  const email = identity.aliases.find(({ type }) => type === 'Email')?.value ?? ''
  return { uuid: identity.uuid, email, passwordExpired }
}

const isSessionEnded = (error: unknown) =>
  error instanceof ApiError && (error.status === 401 || error.status === 403)
