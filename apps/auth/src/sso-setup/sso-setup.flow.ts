import type { UserType } from '@portico/contracts/broker'
import type {
  DomainCheck,
  ProviderProduct,
  ProviderProtocol,
  Setup,
} from '@portico/contracts/sso-setup'
import { flow, type Next } from '@portico/flow'
import type { Failure } from '@portico/shell/failure'
import { UNEXPECTED } from '@portico/shell/failure'
import { type SetupStep, shownStep } from './setup-steps.ts'

/** What the administrator requests; each job is saved separately. */
export type Job =
  | { type: 'choose'; product: ProviderProduct; protocol: ProviderProtocol }
  | {
      type: 'saveOpenId'
      name: string
      issuer: string
      clientId: string
      /** Undefined keeps the saved one. */
      clientSecret: string | undefined
      scope: string
    }
  | { type: 'saveSaml'; name: string; provider: SamlSource }
  | { type: 'addDomain' | 'checkDomain' | 'removeDomain'; domain: string }
  | {
      type: 'saveAttributes'
      email: string
      firstName: string
      lastName: string
      groups: string
      requiredGroup: string
    }
  | { type: 'revokeToken'; id: string }
  | { type: 'test' | 'enable' | 'disable' | 'createToken' }

/** Where the values of a SAML provider come from. */
export type SamlSource =
  | { metadata: string }
  | { metadataUrl: string }
  | { issuer: string; signInUrl: string; certificate: string }

/** The last check of a domain's record. */
export type CheckedDomain = DomainCheck & { readonly domain: string }

export type State =
  | { step: 'invited'; token: string }
  | { step: 'opening'; token: string }
  | { step: 'loading' }
  | { step: 'refused'; failure: Failure }
  | {
      step: 'editing'
      setup: Setup
      /** Shown on the step whose job failed, and not on others that are opened after it. */
      failure?: Failure & { readonly at: SetupStep }
      check?: CheckedDomain | undefined
      /** The directory's new token, which is shown once. */
      token?: string
    }
  | { step: 'working'; setup: Setup; job: Job; check?: CheckedDomain | undefined }
  | { step: 'leaving' }

export type Event =
  | { type: 'startPressed' }
  | { type: 'loaded'; setup: Setup }
  | { type: 'retried' }
  | { type: 'requested'; job: Job }
  | { type: 'saved'; setup: Setup }
  | { type: 'domainChecked'; setup: Setup; check: CheckedDomain }
  | { type: 'recheckDue'; domain: string }
  | { type: 'tokenCreated'; setup: Setup; token: string }
  | { type: 'testBegun'; redirect: string }
  | { type: 'changedElsewhere'; setup: Setup; failure: Failure }
  | { type: 'refused'; failure: Failure }

export type Command =
  | { type: 'open'; token: string }
  | { type: 'load' }
  // Runs on the setup that the administrator sees, even if another tab has opened a different one.
  | { type: 'run'; job: Job; version: number; userType: UserType }
  | { type: 'recheck'; domain: string; userType: UserType }
  // `first` replaces the address of the link.
  | { type: 'proceed'; to: SetupStep; userType: UserType; first?: true }
  | { type: 'leave'; redirect: string }

type Transition = Next<State, Command>

/** The step that follows a saved form. */
const STEP_AFTER: Partial<Record<Job['type'], SetupStep>> = {
  choose: 'connection',
  saveOpenId: 'domains',
  saveSaml: 'domains',
  saveAttributes: 'test',
}

/** The step that asks for a job. */
const STEP_OF: Readonly<Record<Job['type'], SetupStep>> = {
  choose: 'provider',
  saveOpenId: 'connection',
  saveSaml: 'connection',
  addDomain: 'domains',
  checkDomain: 'domains',
  removeDomain: 'domains',
  saveAttributes: 'attributes',
  test: 'test',
  enable: 'enable',
  disable: 'enable',
  createToken: 'directory',
  revokeToken: 'directory',
}

const load = (): Transition => [{ step: 'loading' }, { type: 'load' }]

/** Codes after which this browser cannot continue. */
const ENDED = ['setup-ended', 'setup-link-refused']

/** The flow of an administrator who sets up an identity provider with a mailed link. */
export const ssoSetup = flow<State, Event, Command, { token: string | undefined }>({
  name: 'sso-setup',
  // Mail scanners open links before people do, so only a press of the button consumes the link.
  begin: ({ token }) => (token === undefined ? load() : [{ step: 'invited', token }]),
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    invited: {
      startPressed: ({ token }) => [
        { step: 'opening', token },
        { type: 'open', token },
      ],
    },
    opening: {
      loaded: (_, { setup }) => [
        { step: 'editing', setup },
        // Named in the address, so that Back from the next step returns to it.
        { type: 'proceed', to: shownStep(setup, null), userType: setup.userType, first: true },
      ],
      refused: (_, { failure }) => [{ step: 'refused', failure }],
    },
    loading: {
      loaded: (_, { setup }) => [{ step: 'editing', setup }],
      refused: (_, { failure }) => [{ step: 'refused', failure }],
    },
    refused: { retried: load },
    editing: {
      requested: ({ setup, check }, { job }) => [
        { step: 'working', setup, job, check },
        { type: 'run', job, version: setup.version, userType: setup.userType },
      ],
      recheckDue: (state, { domain }) => [
        state,
        { type: 'recheck', domain, userType: state.setup.userType },
      ],
      domainChecked: (_, { setup, check }) => [{ step: 'editing', setup, check }],
    },
    working: {
      saved: ({ job }, { setup }): Transition => {
        const to = STEP_AFTER[job.type]
        const next: State = { step: 'editing', setup }
        return to === undefined ? [next] : [next, { type: 'proceed', to, userType: setup.userType }]
      },
      domainChecked: (_, { setup, check }) => [{ step: 'editing', setup, check }],
      tokenCreated: (_, { setup, token }) => [{ step: 'editing', setup, token }],
      testBegun: (_, { redirect }) => [{ step: 'leaving' }, { type: 'leave', redirect }],
      changedElsewhere: ({ job }, { setup, failure }) => [
        { step: 'editing', setup, failure: { ...failure, at: STEP_OF[job.type] } },
      ],
      refused: ({ setup, check, job }, { failure }) =>
        ENDED.includes(failure.reason ?? '')
          ? [{ step: 'refused', failure }]
          : [{ step: 'editing', setup, check, failure: { ...failure, at: STEP_OF[job.type] } }],
    },
    // Back may restore the page in this state.
    leaving: { retried: load },
  },
})
