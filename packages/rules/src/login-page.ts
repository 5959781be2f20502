import { ROUTER_BASE } from '@portico/contracts/limits'
import type { Behaviors } from '@portico/contracts/organization'
import { emailParameter } from './email-parameter.ts'

/** The flows that send a user here to continue an application (§9). */
const NEW_USER_FLOWS = ['new-user', 'wholesale-new-user']

/** Whether a `flow` parameter names a new-user flow. */
export function isNewUserFlow(flow: string | null): boolean {
  return flow !== null && NEW_USER_FLOWS.includes(flow)
}

/** The parts of the login page that depend on the brand and on the query (§2.3). */
export interface LoginPage {
  readonly heading: string
  readonly newUser: boolean
  /** The target of 'Register here'; undefined if the link is hidden. */
  readonly registerHref: string | undefined
  /** Whether 'Mortgage signer with access code' is offered. */
  readonly signerLink: boolean
  /** The initial value of the e-mail field. */
  readonly email: string
  /** Whether a passcode is sent immediately. */
  readonly sendsImmediately: boolean
  /** Whether the form asks for a passcode at first, and a press sends it. */
  readonly offersCode: boolean
}

const HEADINGS: Readonly<Record<Behaviors['loginHeading'], (company: string) => string>> = {
  standard: (company) => `Log in to ${company}`,
  heloc: (company) => `Log in to your HELOC account with ${company}`,
}

/** Derives the login page from the organization's behaviors and the query. */
export function loginPage(
  company: string,
  behaviors: Behaviors,
  query: URLSearchParams,
): LoginPage {
  const newUser = isNewUserFlow(query.get('flow'))
  const email = emailParameter(query)
  return {
    heading: HEADINGS[behaviors.loginHeading](company),
    newUser,
    registerHref:
      newUser || behaviors.registerLink === 'hidden' ? undefined : registerHref(behaviors, query),
    signerLink: !newUser && behaviors.signerLink === 'shown',
    email,
    sendsImmediately: query.get('otp') === 'true' && email !== '',
    offersCode: query.get('otp') === 'ask',
  }
}

function registerHref(behaviors: Behaviors, query: URLSearchParams): string {
  const here = behaviors.registerAt === 'register' || query.has('redirectUrl')
  const path = here ? `${ROUTER_BASE}/register` : '/account/heloc/register'
  const passedOn = new URLSearchParams(query)
  if (behaviors.registerReferrer !== undefined) {
    passedOn.set('referrer', behaviors.registerReferrer)
  }
  const search = passedOn.toString()
  return search === '' ? path : `${path}?${search}`
}
