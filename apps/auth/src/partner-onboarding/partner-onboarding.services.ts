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
import { loginOutcome } from '@portico/rules/login-outcome'
import { partnerOnboardingStep } from '@portico/rules/partner-onboarding-step'
import type { Failure } from '@portico/shell/failure'
import { failureOf } from '@portico/shell/failure-of'
import { botCheckHeaders } from '../bot-check/bot-check.ts'
import type { Environment } from '../environment.ts'
import { leaveAfterNotice } from '../redirect-notice.ts'
import { type Borrower, queryAfter } from './arrival.ts'
import type { Command, Event, Owner } from './partner-onboarding.flow.ts'

/** What partner onboarding leans on. */
export interface PartnerOnboardingDeps
  extends Pick<
    Environment,
    'botCheck' | 'client' | 'jwt' | 'location' | 'navigate' | 'reportError' | 'telemetry' | 'wait'
  > {
  /** Whether the page came with somebody's session. */
  readonly hasSession: boolean
  /** Puts another query into the page's address, in place of the one that is there. */
  readonly replaceQuery: (query: URLSearchParams) => void
}

type Mailer = Pick<Environment, 'botCheck' | 'client' | 'reportError'>

/** Carries out what partner onboarding has done; each service reports back with an event. */
export function partnerOnboardingServices(deps: PartnerOnboardingDeps): Services<Event, Command> {
  const { client, jwt: stored, location, navigate, telemetry, hasSession, replaceQuery } = deps
  return {
    async lookAround({ borrower, loginUuid }, signal) {
      const jwt = stored.read()?.replace(BEARER_PREFIX, '')
      if (hasSession && jwt !== undefined) {
        try {
          return {
            type: 'sessionFound',
            jwt,
            owner: ownerOf(await client(readIdentity, { signal })),
          }
        } catch (error) {
          if (!isEnded(error)) return refused(error)
        }
      }
      const code = new URLSearchParams(location().hash.slice(1)).get('code')
      // Every link of our mails names the address, so that the person sees whose account a button opens (login CSRF).
      return loginUuid === undefined || code === null || borrower.email === undefined
        ? { type: 'nothingFound' }
        : { type: 'linkOpened', loginUuid, code }
    },
    async logOut(_, signal) {
      stored.remove()
      try {
        await client(logout, { signal })
        return { type: 'sessionEnded' }
      } catch (error) {
        return refused(error)
      }
    },
    async verify({ borrower, loginUuid }, signal) {
      const query = { ...named(borrower), ...(loginUuid === undefined ? {} : { loginUuid }) }
      try {
        const verification = await client(readRegistrationVerification, { query, signal })
        return { type: 'verified', next: partnerOnboardingStep(verification, loginUuid) }
      } catch (error) {
        return refused(error)
      }
    },
    async sendToken({ email }, signal) {
      try {
        const { uuid, redirect } = await client(sendToken, { body: { email }, signal })
        return redirect === undefined
          ? { type: 'codeSent', loginUuid: uuid }
          : { type: 'loginMoved', to: redirect }
      } catch (error) {
        return refused(error)
      }
    },
    async sendContinueEmail({ borrower }, signal) {
      try {
        return { type: 'codeSent', loginUuid: await continueEmail(deps, borrower, signal) }
      } catch (error) {
        return refused(error)
      }
    },
    async redeem({ loginUuid, code }, signal) {
      try {
        const answer = await client(redeemToken, { body: { loginUuid, token: code }, signal })
        const outcome = loginOutcome(answer)
        if (outcome === undefined) throw new Error('A redeemed code has led to nothing')
        return { type: 'codeRedeemed', outcome }
      } catch (error) {
        return { type: 'refused', failure: firstFailureOf(error) }
      }
    },
    keepJwt: ({ jwt }) => stored.keep(jwt),
    async readIdentity({ jwt }, signal) {
      try {
        const headers = { authorization: `${BEARER_PREFIX}${jwt}` }
        return {
          type: 'identityRead',
          owner: ownerOf(await client(readIdentity, { headers, signal })),
        }
      } catch (error) {
        return error instanceof ApiError && error.status === 401
          ? { type: 'identityIgnored' }
          : refused(error)
      }
    },
    keepAddress({ loginUuid, step }) {
      const query = location().searchParams
      if (loginUuid !== undefined) query.set('loginUuid', loginUuid)
      if (step === 2) query.set('step', '2')
      else query.delete('step')
      replaceQuery(query)
    },
    tellRegistered: () => telemetry.registered(),
    goToLogin: () => navigate(`${ROUTER_BASE}/login?${queryAfter(location().searchParams)}`),
    goToDashboard: () => navigate(DEFAULT_REDIRECT),
    leave: ({ to }, signal) => leaveAfterNotice(deps, to, signal),
  }
}

/** Sends a borrower another code; gives the login it belongs to. */
export async function sendAnother(
  by: Mailer,
  borrower: Borrower,
  signal: AbortSignal,
): Promise<string> {
  if (borrower.email === undefined) return continueEmail(by, borrower, signal)
  const { uuid } = await by.client(sendToken, { body: { email: borrower.email }, signal })
  return uuid
}

/** A redeemed code's failure: of several errors the first is shown (§8). */
export function firstFailureOf(error: unknown): Failure {
  const failure = failureOf(error)
  return { ...failure, notices: failure.notices.slice(0, 1) }
}

async function continueEmail(by: Mailer, borrower: Borrower, signal: AbortSignal): Promise<string> {
  const { identityUuid, email = '', organization } = borrower
  const body =
    identityUuid === undefined
      ? { borrowerIdentifier: { borrowerEmail: email, organization } }
      : { borrowerIdentityUuid: identityUuid }
  const headers = await botCheckHeaders(by)
  return (await by.client(sendContinueApplicationEmail, { body, headers, signal })).loginUuid
}

const named = ({ identityUuid, email = '', organization }: Borrower) =>
  identityUuid === undefined ? { borrowerEmail: email, organization } : { identityUuid }

function ownerOf({ identity, passwordExpired }: Parsed<(typeof readIdentity)['answer']>): Owner {
  const email = identity.aliases.find(({ type }) => type === 'Email')?.value ?? ''
  return { uuid: identity.uuid, email, passwordExpired }
}

const isEnded = (error: unknown) =>
  error instanceof ApiError && (error.status === 401 || error.status === 403)

const refused = (error: unknown): Event => ({ type: 'refused', failure: failureOf(error) })
