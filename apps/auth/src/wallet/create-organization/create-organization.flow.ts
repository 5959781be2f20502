import type { OrganizationMember } from '@portico/contracts/organization-account'
import { flow, type Next } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** Who decides for an organization: its wallet alone, or a number of its members. */
export interface Membership {
  /** The members besides the controlling wallet. */
  readonly members: readonly OrganizationMember[]
  /** How many members must agree. */
  readonly threshold: number
}

/** The controlling wallet decides alone. */
export const ALONE: Membership = { members: [], threshold: 1 }

/** An organization that was named but not yet created, with the message its wallet must submit to the chain. */
export interface PendingOrganization {
  readonly id: string
  readonly name: string
  readonly membership: Membership
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
      membership: Membership
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
      membership: Membership
      acting: boolean
      failure?: Failure | undefined
    }
  | { step: 'leaving'; account: OrganizationAccount; membership: Membership }

export type Event =
  | { type: 'nameSubmitted'; name: string; membership: Membership }
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
  | { type: 'begin'; name: string; membership: Membership }
  | { type: 'requestApproval'; organization: PendingOrganization }
  | { type: 'complete'; organizationId: string }
  | { type: 'actFor'; account: OrganizationAccount }
  /** `connecting`: the user acts for the organization, so its wallet is connected as the group next. */
  | { type: 'runGatekeeper'; connecting: boolean }

type Transition = Next<State, Command>

const begin = ({
  name,
  membership,
}: Pick<PendingOrganization, 'membership' | 'name'>): Transition => [
  { step: 'naming', name, membership, busy: true },
  { type: 'begin', name, membership },
]

const nameAgain = ({ name, membership }: PendingOrganization, failure?: Failure): Transition => [
  {
    step: 'naming',
    name,
    membership,
    busy: false,
    ...(failure && { failure, by: 'wallet' }),
  },
]

const confirm = (organization: PendingOrganization): Transition => [
  { step: 'confirming', organization },
  { type: 'complete', organizationId: organization.id },
]

type Created = Pick<Extract<State, { step: 'created' }>, 'account' | 'membership'>

const leave = ({ account, membership }: Created, connecting: boolean): Transition => [
  { step: 'leaving', account, membership },
  { type: 'runGatekeeper', connecting },
]

const created = ({ account, membership }: Created, failure?: Failure): Transition => [
  { step: 'created', account, membership, acting: false, ...(failure && { failure }) },
]

export const createOrganization = flow<State, Event, Command, null>({
  name: 'create-organization',
  begin: () => [{ step: 'naming', name: '', membership: ALONE, busy: false }],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    naming: {
      nameSubmitted: (state, named) => (state.busy ? [state] : begin(named)),
      begun: (_, { organization }) => [
        { step: 'approving', organization },
        { type: 'requestApproval', organization },
      ],
      // An earlier attempt already created the group on the chain.
      created: ({ membership }, { account }) => created({ account, membership }),
      refused: ({ name, membership }, { failure }) => [
        { step: 'naming', name, membership, busy: false, failure, by: 'server' },
      ],
    },
    approving: {
      approved: ({ organization }) => confirm(organization),
      rejected: ({ organization }, { failure }) => nameAgain(organization, failure),
      refused: ({ organization }, { failure }) => nameAgain(organization, failure),
      // Ask the server again: the wallet may have submitted the transaction after all.
      retried: ({ organization }) => begin(organization),
      back: ({ organization }) => nameAgain(organization),
    },
    confirming: {
      created: ({ organization: { membership } }, { account }) => created({ account, membership }),
      refused: ({ organization }, { failure }) => [{ step: 'confirming', organization, failure }],
      retried: ({ organization }) => confirm(organization),
      back: ({ organization }) => nameAgain(organization),
    },
    created: {
      actingChosen: (state) =>
        state.acting
          ? [state]
          : [
              {
                step: 'created',
                account: state.account,
                membership: state.membership,
                acting: true,
              },
              { type: 'actFor', account: state.account },
            ],
      acting: (state) => leave(state, true),
      refused: (state, { failure }) => created(state, failure),
      continued: (state) => leave(state, false),
    },
    leaving: {
      refused: (state, { failure }) => created(state, failure),
    },
  },
})
