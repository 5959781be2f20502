import { flow, type Next } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** An organization that was named, with the message that its wallet has to bring to the chain. */
export interface BegunOrganization {
  readonly id: string
  readonly name: string
  readonly message: string
}

/** The account of an organization. */
export interface OrganizationAccount {
  readonly name: string
  readonly address: string
}

/** Creating an organization (§2.2, §4.8): it is named, its wallet makes its group on the chain, and it has an account. */
export type State =
  | {
      step: 'naming'
      name: string
      busy: boolean
      failure?: Failure | undefined
      /** Who said no: the server is told of at the field, the wallet is not. */
      by?: 'server' | 'wallet'
    }
  | { step: 'approving'; organization: BegunOrganization }
  | { step: 'confirming'; organization: BegunOrganization; failure?: Failure | undefined }
  | {
      step: 'created'
      account: OrganizationAccount
      acting: boolean
      failure?: Failure | undefined
    }
  | { step: 'leaving'; account: OrganizationAccount }

/** What it hears. */
export type Event =
  | { type: 'nameGiven'; name: string }
  | { type: 'begun'; organization: BegunOrganization }
  | { type: 'approved' }
  | { type: 'rejected'; failure: Failure }
  | { type: 'created'; account: OrganizationAccount }
  | { type: 'refused'; failure: Failure }
  | { type: 'retried' }
  | { type: 'back' }
  | { type: 'actingChosen' }
  | { type: 'acting' }
  | { type: 'wentOn' }

/** What it has done. */
export type Command =
  | { type: 'begin'; name: string }
  | { type: 'askWallet'; organization: BegunOrganization }
  | { type: 'complete'; organizationId: string }
  | { type: 'actFor'; account: OrganizationAccount }
  /** Where the person acts for it from now on, its wallet is connected as the group on the way. */
  | { type: 'runGatekeeper'; connecting: boolean }

type To = Next<State, Command>

const begin = (name: string): To => [
  { step: 'naming', name, busy: true },
  { type: 'begin', name },
]

const confirm = (organization: BegunOrganization): To => [
  { step: 'confirming', organization },
  { type: 'complete', organizationId: organization.id },
]

const leave = (account: OrganizationAccount, connecting: boolean): To => [
  { step: 'leaving', account },
  { type: 'runGatekeeper', connecting },
]

const created = (account: OrganizationAccount, failure?: Failure): To => [
  { step: 'created', account, acting: false, ...(failure && { failure }) },
]

/** The table of the creation. */
export const createOrganization = flow<State, Event, Command, null>({
  name: 'create-organization',
  begin: () => [{ step: 'naming', name: '', busy: false }],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    naming: {
      nameGiven: (state, { name }) => (state.busy ? [state] : begin(name)),
      begun: (_, { organization }) => [
        { step: 'approving', organization },
        { type: 'askWallet', organization },
      ],
      // An earlier attempt had come as far as the chain.
      created: (_, { account }) => created(account),
      refused: ({ name }, { failure }) => [
        { step: 'naming', name, busy: false, failure, by: 'server' },
      ],
    },
    approving: {
      approved: ({ organization }) => confirm(organization),
      rejected: ({ organization: { name } }, { failure }) => [
        { step: 'naming', name, busy: false, failure, by: 'wallet' },
      ],
      refused: ({ organization: { name } }, { failure }) => [
        { step: 'naming', name, busy: false, failure, by: 'wallet' },
      ],
      // Asked of the server again, which knows whether the wallet has done it after all.
      retried: ({ organization: { name } }) => begin(name),
      back: ({ organization: { name } }) => [{ step: 'naming', name, busy: false }],
    },
    confirming: {
      created: (_, { account }) => created(account),
      refused: ({ organization }, { failure }) => [{ step: 'confirming', organization, failure }],
      retried: ({ organization }) => confirm(organization),
      back: ({ organization: { name } }) => [{ step: 'naming', name, busy: false }],
    },
    created: {
      actingChosen: (state) =>
        state.acting
          ? [state]
          : [
              { step: 'created', account: state.account, acting: true },
              { type: 'actFor', account: state.account },
            ],
      acting: ({ account }) => leave(account, true),
      refused: ({ account }, { failure }) => created(account, failure),
      wentOn: ({ account }) => leave(account, false),
    },
    leaving: {
      refused: ({ account }, { failure }) => created(account, failure),
    },
  },
})
