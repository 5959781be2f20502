import { flow, type Next } from '@portico/flow'
import type { WalletAccount } from '../protocol/account.ts'
import type { PeerMeta } from '../protocol/handshake.ts'
import type { OtherAccount } from './broadcast-events.ts'
import {
  CONNECTION_TYPES,
  type ConnectionType,
  CONNECTION_EXPIRED as EXPIRED,
} from './connection-text.ts'
import type { AttemptPlan } from './init-options.ts'
import type { ModalData, PendingMethod, Settings } from './settings.ts'
import { WALLET_APP_EVENTS, type WalletAppEvent } from './wallet-app-events.ts'
import type { WalletId } from './wallet-app-ids.ts'
import { type BroadcastEventName, WINDOW_MESSAGES } from './window-messages.ts'

/**
 * The wallet session of §4.1: disconnected, pending, connected. Operations that wait at once are a collection on the
 * connected step, keyed by their request's id. Every attempt to connect has a number, and what arrives from an attempt
 * that is no longer the current one changes nothing: an old code can never give a false 'connected'.
 */

/** Who is connected, and until when. */
export interface Session {
  readonly account: WalletAccount
  readonly connectionEST: number
  readonly connectionEXP: number
  readonly peer: PeerMeta | null
  readonly signedJWT: string
}

/** A request that waits for the wallet. */
interface Waiting {
  readonly id: number
  readonly method: PendingMethod
  /** The name under which the page can withdraw it. */
  readonly customId: string | undefined
}

/** The steps of §4.1. */
export type State =
  | { readonly step: 'disconnected'; readonly settings: Settings }
  | { readonly step: 'pending'; readonly settings: Settings; readonly attempt: number }
  | {
      readonly step: 'connected'
      readonly settings: Settings
      readonly attempt: number
      readonly session: Session
      readonly operations: readonly Waiting[]
    }

/** A session found in storage, as far as the table looks at it. */
export interface Found {
  readonly clientId: string
  readonly session: Session
  readonly settings: Partial<Settings>
}

/** The wallet that an attempt opens by itself, and what it is to read. */
interface Launch {
  readonly walletAppId: WalletId
  readonly uri: string
}

/** What can happen to a session. */
export type Event =
  | { type: 'initAsked'; attempt: number; plan: AttemptPlan }
  | { type: 'codeMade'; attempt: number; modal: Partial<ModalData>; launch: Launch | undefined }
  | { type: 'codeOverdue'; attempt: number; reason: string }
  | {
      type: 'approved'
      attempt: number
      account: WalletAccount
      peer: PeerMeta | null
      now: number
    }
  | {
      type: 'accountRefused'
      attempt: number
      reason: string
      mismatch?: OtherAccount | undefined
    }
  | { type: 'updated'; attempt: number; account: WalletAccount; now: number }
  | { type: 'ended'; attempt: number; message: string; now: number }
  | { type: 'disconnectAsked'; message: string | undefined }
  /** Another tab has closed this one's hosted wallet by opening its own. */
  | { type: 'frameTaken' }
  | { type: 'secondPassed'; now: number }
  | { type: 'sessionFound'; attempt: number; found: Found; same: boolean }
  | { type: 'sessionVanished' }
  | { type: 'modalChanged'; modal: Partial<ModalData>; walletAppId: WalletId | undefined }
  | { type: 'walletChosen'; walletAppId: WalletId }
  | { type: 'timeoutReset'; connectionTimeoutMs: number | undefined; now: number }
  | { type: 'operationBegun'; operation: Waiting }
  | {
      type: 'operationEnded'
      id: number
      event: BroadcastEventName
      data: unknown
      /** The token that was signed, where one was. */
      signedJWT: string | undefined
      now: number
    }
  | { type: 'broken' }

/** What the session orders. */
export type Command =
  | { type: 'openLink'; attempt: number; plan: AttemptPlan }
  | { type: 'resumeLink'; attempt: number; clientId: string }
  | { type: 'closeLink'; goodbye: boolean }
  | { type: 'endStored' }
  | { type: 'answerInit'; attempt: number; refusal: string | undefined }
  | { type: 'launchWallet'; launch: Launch; iframeParentId: string }
  | { type: 'closeFrame' }
  | { type: 'watchExpiry' }
  | { type: 'remember' }
  | { type: 'forget' }
  | { type: 'announce'; event: BroadcastEventName; data: unknown }
  | { type: 'tellWallet'; walletAppId: WalletId; event: WalletAppEvent; data?: unknown }

type Pending = Extract<State, { step: 'pending' }>
type Connected = Extract<State, { step: 'connected' }>
type To = Next<State, Command>

/** What a session begins with: the defaults of the page, and what storage held. */
export interface Input {
  readonly defaults: Settings
  readonly stored: { readonly attempt: number; readonly found: Found | undefined } | undefined
  readonly now: number
}

const OWN_END = 'Session Disconnected'
const OTHER_END = 'Session disconnected'
const TAKEN = 'Your wallet was opened in another tab. Try again to go on here.'

/** A wallet in a frame of this page would go on asking, and say that it is connected to whoever answers it. */
const GIVEN_UP: readonly Command[] = [{ type: 'closeFrame' }, { type: 'closeLink', goodbye: false }]

/** The other end counts from when it answered, a moment before this one heard: what it ends this late has expired. */
const LAST_MOMENTS_MS = 2000

/** The table of §4.1 for a page with these defaults. */
export function sessionFlow(defaults: Settings) {
  /** Everything goes back to the beginning, and the page hears once why. */
  const end = (
    state: Pending | Connected,
    {
      message,
      goodbye,
      mismatch,
    }: { message: string; goodbye: boolean; mismatch?: OtherAccount | undefined },
  ): To => [
    { step: 'disconnected', settings: defaults },
    { type: 'closeLink', goodbye },
    ...(state.step === 'connected' ? [{ type: 'forget' } as const] : [refuse(state, message)]),
    ...tell(state.settings, WALLET_APP_EVENTS.DISCONNECT),
    announce(WINDOW_MESSAGES.DISCONNECT, { message, ...(mismatch && { mismatch }) }),
  ]

  /** An attempt that nobody has heard of yet ends without an event. */
  const drop = (state: Pending, reason: string): To => [
    { step: 'disconnected', settings: defaults },
    ...GIVEN_UP,
    refuse(state, reason),
  ]

  /** An attempt that the page ends itself, before the wallet has answered. */
  const giveUp = (state: Pending, message: string): To => {
    const [next, ...commands] = end(state, { message, goodbye: false })
    return [next, { type: 'closeFrame' }, ...commands]
  }

  /** The wallet is not told: it would open here again, and close the panel of the other tab. */
  const frameTaken = (state: Pending): To => [
    { step: 'disconnected', settings: defaults },
    { type: 'closeLink', goodbye: false },
    refuse(state, TAKEN),
    announce(WINDOW_MESSAGES.DISCONNECT, { message: TAKEN }),
  ]

  const resume = (attempt: number, found: Found): readonly [State, ...Command[]] => {
    const settings = { ...defaults, ...found.settings }
    return [
      { step: 'connected', attempt, settings, session: found.session, operations: [] },
      { type: 'resumeLink', attempt, clientId: found.clientId },
      announce(WINDOW_MESSAGES.CONNECTED, dates(found.session, 'existing_session')),
      ...tell(settings, WALLET_APP_EVENTS.SESSION_UPDATE),
    ]
  }

  const begin = ({ stored, now }: Input): To => {
    if (stored === undefined) return [{ step: 'disconnected', settings: defaults }]
    if (stored.found !== undefined && now < stored.found.session.connectionEXP) {
      return watched(resume(stored.attempt, stored.found))
    }
    return [
      { step: 'disconnected', settings: defaults },
      { type: 'endStored' },
      { type: 'forget' },
      announce(WINDOW_MESSAGES.DISCONNECT, { message: EXPIRED }),
    ]
  }

  const ask = (
    settings: Settings,
    { attempt, plan }: Extract<Event, { type: 'initAsked' }>,
  ): readonly [State, Command] => [
    {
      step: 'pending',
      attempt,
      settings: { ...settings, modal: defaults.modal, ...plan.settings },
    },
    { type: 'openLink', attempt, plan },
  ]

  return flow<State, Event, Command, Input>({
    name: 'wallet-session',
    begin,
    failed: { type: 'broken' },
    on: {
      disconnected: {
        initAsked: ({ settings }, event) => ask(settings, event),
        sessionFound: (_, { attempt, found }) => watched(resume(attempt, found)),
        modalChanged: (state, event) => [withModal(state, event)],
        walletChosen: (state, { walletAppId }) => [withSettings(state, { walletAppId })],
        timeoutReset: (state, { connectionTimeoutMs }) => [withTimeout(state, connectionTimeoutMs)],
        operationEnded: (state, { event, data }) => [state, { type: 'announce', event, data }],
      },
      pending: {
        initAsked: ({ settings }, event) => {
          const [next, open] = ask({ ...settings, walletAppId: undefined }, event)
          return [next, ...GIVEN_UP, open]
        },
        codeMade: (state, { attempt, modal, launch }) => {
          if (attempt !== state.attempt) return [state]
          const { iframeParentId } = state.settings
          return [
            withModal(state, { modal, walletAppId: undefined }),
            fulfil(state),
            ...(launch ? [{ type: 'launchWallet', launch, iframeParentId } as const] : []),
          ]
        },
        codeOverdue: (state, { attempt, reason }) =>
          attempt === state.attempt ? drop(state, reason) : [state],
        approved: (state, event) =>
          event.attempt === state.attempt ? connect(state, event) : [state],
        accountRefused: (state, { attempt, reason, mismatch }) =>
          attempt === state.attempt
            ? end(state, { message: reason, goodbye: true, mismatch })
            : [state],
        ended: (state, { attempt, message }) =>
          attempt === state.attempt ? end(state, { message, goodbye: false }) : [state],
        disconnectAsked: (state, { message = OWN_END }) => giveUp(state, message),
        frameTaken,
        // Another tab connected: there is one session to an origin, so this attempt has come true elsewhere.
        sessionFound: (state, { attempt, found }) => {
          const [next, ...commands] = watched(resume(attempt, found))
          return [next, ...GIVEN_UP, fulfil(state), ...commands]
        },
        modalChanged: (state, event) =>
          event.modal.showModal === false &&
          event.walletAppId === undefined &&
          state.settings.walletAppId === undefined
            ? drop(state, 'The connection dialogue was closed')
            : [withModal(state, event)],
        walletChosen: (state, { walletAppId }) => [withSettings(state, { walletAppId })],
        timeoutReset: (state, { connectionTimeoutMs }) => [withTimeout(state, connectionTimeoutMs)],
        operationEnded: (state, { event, data }) => [state, { type: 'announce', event, data }],
        broken: (state) => drop(state, 'The connection could not be prepared'),
      },
      connected: {
        initAsked: (state, { attempt }) => [state, fulfil({ attempt })],
        updated: (state, { attempt, account, now }) => {
          if (attempt !== state.attempt) return [state]
          const session = lasting(state, { account, peer: state.session.peer, now })
          return [
            { ...state, session },
            { type: 'remember' },
            announce(WINDOW_MESSAGES.SESSION_UPDATED, dates(session, 'existing_session')),
            ...tell(state.settings, WALLET_APP_EVENTS.SESSION_UPDATE),
          ]
        },
        accountRefused: (state, { attempt, reason }) =>
          attempt === state.attempt ? end(state, { message: reason, goodbye: true }) : [state],
        ended: (state, { attempt, message, now }) => {
          if (attempt !== state.attempt) return [state]
          const expired = now >= state.session.connectionEXP - LAST_MOMENTS_MS
          return end(state, { message: expired ? EXPIRED : message, goodbye: false })
        },
        disconnectAsked: (state, { message = OWN_END }) => end(state, { message, goodbye: true }),
        secondPassed: (state, { now }) =>
          now < state.session.connectionEXP
            ? [state]
            : end(state, { message: EXPIRED, goodbye: true }),
        // The tab that ended the session has told the wallet; telling it twice would end the next session too.
        sessionVanished: (state) => end(state, { message: OTHER_END, goodbye: false }),
        sessionFound: (state, { attempt, found, same }) => {
          if (!same) {
            const [next, ...commands] = resume(attempt, found)
            return [next, { type: 'closeLink', goodbye: false }, ...commands]
          }
          const settings = { ...state.settings, ...found.settings }
          const peer = found.session.peer ?? state.session.peer
          return [{ ...state, settings, session: { ...found.session, peer } }]
        },
        modalChanged: (state, event) => [withModal(state, event)],
        walletChosen: (state, { walletAppId }) => [
          withSettings(state, { walletAppId }),
          { type: 'remember' },
        ],
        timeoutReset: (state, { connectionTimeoutMs, now }) =>
          restarted(withTimeout(state, connectionTimeoutMs), now),
        operationBegun: (state, { operation }) => [
          { ...state, operations: [...state.operations, operation] },
        ],
        operationEnded: (state, { id, event, data, signedJWT, now }) => {
          const operations = state.operations.filter((each) => each.id !== id)
          const session = signedJWT === undefined ? state.session : { ...state.session, signedJWT }
          const [next, ...commands] = restarted({ ...state, session, operations }, now)
          return [next, { type: 'announce', event, data }, ...commands]
        },
      },
    },
  })
}

function connect(state: Pending, event: Extract<Event, { type: 'approved' }>): To {
  const session = lasting(state, event)
  return [
    {
      step: 'connected',
      attempt: state.attempt,
      settings: { ...state.settings, modal: { ...state.settings.modal, showModal: false } },
      session,
      operations: [],
    },
    fulfil(state),
    { type: 'remember' },
    { type: 'watchExpiry' },
    announce(WINDOW_MESSAGES.CONNECTED, dates(session, 'new_session')),
    ...tell(state.settings, WALLET_APP_EVENTS.CONNECT),
  ]
}

/** A session from now on, for as long as the timeout that holds now says (§4.1). */
function lasting(
  { settings }: Pending | Connected,
  { account, peer, now }: { account: WalletAccount; peer: PeerMeta | null; now: number },
): Session {
  return {
    account,
    connectionEST: now,
    connectionEXP: now + settings.connectionTimeoutMs,
    peer,
    signedJWT: account.jwt,
  }
}

/** Every operation resets the connection timeout (§4.1). */
function restarted(state: Connected, now: number): readonly [Connected, ...Command[]] {
  const { connectionTimeoutMs } = state.settings
  return [
    { ...state, session: { ...state.session, connectionEXP: now + connectionTimeoutMs } },
    { type: 'remember' },
    ...tell(state.settings, WALLET_APP_EVENTS.RESET_TIMEOUT, connectionTimeoutMs),
  ]
}

function withSettings<Some extends State>(state: Some, settings: Partial<Settings>): Some {
  return { ...state, settings: { ...state.settings, ...settings } }
}

function withTimeout<Some extends State>(
  state: Some,
  connectionTimeoutMs: number | undefined,
): Some {
  return connectionTimeoutMs === undefined ? state : withSettings(state, { connectionTimeoutMs })
}

function withModal<Some extends State>(
  state: Some,
  { modal, walletAppId }: { modal: Partial<ModalData>; walletAppId: WalletId | undefined },
): Some {
  return withSettings(state, {
    modal: { ...state.settings.modal, ...modal },
    ...(walletAppId === undefined ? {} : { walletAppId }),
  })
}

function announce(event: BroadcastEventName, result: unknown): Command {
  return { type: 'announce', event, data: { result } }
}

function dates({ connectionEST, connectionEXP }: Session, type: keyof typeof CONNECTION_TYPES) {
  const connectionType: ConnectionType = CONNECTION_TYPES[type]
  return { connectionEST, connectionEXP, connectionType }
}

function fulfil({ attempt }: Pick<Pending, 'attempt'>): Command {
  return { type: 'answerInit', attempt, refusal: undefined }
}

function refuse({ attempt }: Pick<Pending, 'attempt'>, refusal: string): Command {
  return { type: 'answerInit', attempt, refusal }
}

/** A connection that begins is watched until its step is left. */
function watched([state, ...commands]: readonly [State, ...Command[]]): To {
  return [state, { type: 'watchExpiry' }, ...commands]
}

function tell({ walletAppId }: Settings, event: WalletAppEvent, data?: unknown): Command[] {
  if (walletAppId === undefined) return []
  return [{ type: 'tellWallet', walletAppId, event, ...(data === undefined ? {} : { data }) }]
}
