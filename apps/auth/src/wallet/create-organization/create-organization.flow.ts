import { flow, type Next } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** An organization that was named but not yet created, with the message its wallet must submit to the chain. */
export interface PendingOrganization {
  readonly id: string
  readonly name: string
  readonly message: string
}

export interface OrganizationAccount {
  readonly name: string
  readonly address: string
}

/** Creating an organization (§2.2, §4.8): name it, create its group on the chain with the wallet, get its account. */
export type State =
  | {
      step: 'naming'
      name: string
      busy: boolean
      failure?: Failure | undefined
      /** Who rejected the request; only a rejection by the server is shown at the field. */
      by?: 'server' | 'wallet'
    }
  | { step: 'approving'; organization: PendingOrganization }
  | { step: 'confirming'; organization: PendingOrganization; failure?: Failure | undefined }
  | {
      step: 'created'
      account: OrganizationAccount
      acting: boolean
      failure?: Failure | undefined
    }
  | { step: 'leaving'; account: OrganizationAccount }

export type Event =
  | { type: 'nameSubmitted'; name: string }
  | { type: 'begun'; organization: PendingOrganization }
  | { type: 'approved' }
  | { type: 'rejected'; failure: Failure }
  | { type: 'created'; account: OrganizationAccount }
  | { type: 'refused'; failure: Failure }
  | { type: 'retried' }
  | { type: 'back' }
  | { type: 'actingChosen' }
  | { type: 'acting' }
  | { type: 'continued' }

export type Command =
  | { type: 'begin'; name: string }
  | { type: 'requestApproval'; organization: PendingOrganization }
  | { type: 'complete'; organizationId: string }
  | { type: 'actFor'; account: OrganizationAccount }
  /** `connecting`: the user acts for the organization, so its wallet is connected as the group next. */
  | { type: 'runGatekeeper'; connecting: boolean }

type Transition = Next<State, Command>

const begin = (name: string): Transition => [
  { step: 'naming', name, busy: true },
  { type: 'begin', name },
]

const confirm = (organization: PendingOrganization): Transition => [
  { step: 'confirming', organization },
  { type: 'complete', organizationId: organization.id },
]

const leave = (account: OrganizationAccount, connecting: boolean): Transition => [
  { step: 'leaving', account },
  { type: 'runGatekeeper', connecting },
]

const created = (account: OrganizationAccount, failure?: Failure): Transition => [
  { step: 'created', account, acting: false, ...(failure && { failure }) },
]

export const createOrganization = flow<State, Event, Command, null>({
  name: 'create-organization',
  begin: () => [{ step: 'naming', name: '', busy: false }],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    naming: {
      nameSubmitted: (state, { name }) => (state.busy ? [state] : begin(name)),
      begun: (_, { organization }) => [
        { step: 'approving', organization },
        { type: 'requestApproval', organization },
      ],
      // An earlier attempt already created the group on the chain.
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
      // Ask the server again: the wallet may have submitted the transaction after all.
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
      continued: ({ account }) => leave(account, false),
    },
    leaving: {
      refused: ({ account }, { failure }) => created(account, failure),
    },
  },
})
