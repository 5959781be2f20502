import { flow, type Next } from '@portico/flow'
import type { WalletAccount } from '../protocol/account.ts'
import type { PeerMeta } from '../protocol/handshake.ts'
import type { ModalData, PendingMethod, RelayStatus, Settings } from './config.ts'
import {
  type BroadcastEventName,
  CONNECTION_TYPES,
  type ConnectionType,
  CONNECTION_EXPIRED as EXPIRED,
  type OtherAccount,
  WALLET_APP_EVENTS,
  type WalletAppEvent,
  WINDOW_MESSAGES,
} from './events.ts'
import type { AttemptPlan } from './init-options.ts'
import type { WalletId } from './launch/wallet-addresses.ts'

/**
 * The wallet session of §4.1: disconnected, pending, connected. Concurrent operations are a collection on the
 * connected step, keyed by their request's id. Every connection attempt has a number, and events of an attempt
 * that is no longer current change nothing: an old QR code can never cause a false 'connected'.
 */

/** The connected account, and when the connection expires. */
export interface Session {
  /** The page's topic, which identifies the connection. */
  readonly clientId: string
  readonly account: WalletAccount
  readonly connectionEST: number
  readonly connectionEXP: number
  readonly peer: PeerMeta | null
  readonly signedJWT: string
}

/** An operation that waits for the wallet's response. */
interface PendingOperation {
  readonly id: number
  readonly method: PendingMethod
  /** Identifies the operation if the page withdraws it. */
  readonly customId: string | undefined
}

/** The steps of §4.1. */
export type State =
  | { readonly step: 'disconnected'; readonly settings: Settings }
  | {
      readonly step: 'pending'
      readonly settings: Settings
      readonly attempt: number
      /** Absent until the relay responds. */
      readonly relay?: RelayStatus
    }
  | {
      readonly step: 'connected'
      readonly settings: Settings
      readonly attempt: number
      readonly session: Session
      readonly operations: readonly PendingOperation[]
      readonly relay?: RelayStatus
    }

/** A session in storage that has not necessarily expired and can be resumed. */
export interface RestorableSession {
  readonly session: Session
  readonly settings: Partial<Settings>
}

/** The wallet that an attempt opens directly, and the URI for it. */
interface WalletLaunch {
  readonly walletAppId: WalletId
  readonly uri: string
}

/** The events of a session. */
export type Event =
  | { type: 'initRequested'; attempt: number; plan: AttemptPlan }
  | {
      type: 'codeCreated'
      attempt: number
      modal: Partial<ModalData>
      launch: WalletLaunch | undefined
    }
  | { type: 'codeFailed'; attempt: number; reason: string }
  | {
      type: 'approved'
      attempt: number
      clientId: string
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
  | { type: 'relayChanged'; attempt: number; status: RelayStatus }
  | { type: 'disconnectRequested'; message: string | undefined }
  /** Another tab opened a hosted wallet, which closed this tab's. */
  | { type: 'frameReplaced' }
  | { type: 'expiryChecked'; now: number }
  | { type: 'sessionFound'; attempt: number; restorable: RestorableSession }
  | { type: 'sessionRemoved' }
  | { type: 'modalChanged'; modal: Partial<ModalData>; walletAppId: WalletId | undefined }
  | { type: 'walletChosen'; walletAppId: WalletId }
  | { type: 'timeoutReset'; connectionTimeoutMs: number | undefined; now: number }
  | { type: 'operationStarted'; operation: PendingOperation }
  | {
      type: 'operationEnded'
      id: number
      event: BroadcastEventName
      data: unknown
      /** The token that was signed, if any. */
      signedJWT: string | undefined
      now: number
    }
  | { type: 'serviceFailed' }

/** The commands of a session. */
export type Command =
  | { type: 'openLink'; attempt: number; plan: AttemptPlan }
  | { type: 'resumeLink'; attempt: number; clientId: string }
  | { type: 'closeLink'; notifyWallet: boolean }
  | { type: 'endStoredSession' }
  | { type: 'settleInit'; attempt: number; refusal: string | undefined }
  | { type: 'launchWallet'; launch: WalletLaunch; iframeParentId: string }
  | { type: 'closeFrame' }
  | { type: 'watchExpiry' }
  | { type: 'storeSession' }
  | { type: 'removeSession' }
  | { type: 'emit'; event: BroadcastEventName; data: unknown }
  | { type: 'notifyWallet'; walletAppId: WalletId; event: WalletAppEvent; data?: unknown }

type PendingState = Extract<State, { step: 'pending' }>
type ConnectedState = Extract<State, { step: 'connected' }>
type Transition = Next<State, Command>

/** The input of a session: the page's defaults and the stored session. */
export interface Input {
  readonly defaults: Settings
  readonly stored:
    | { readonly attempt: number; readonly restorable: RestorableSession | undefined }
    | undefined
  readonly now: number
}

const ENDED_BY_PAGE = 'Session Disconnected'
const ENDED_ELSEWHERE = 'Session disconnected'
export const FRAME_REPLACED = 'Your wallet was opened in another tab. Try again to continue here.'

/** The hosted wallet's frame must close too: it would keep prompting for an attempt that no longer exists. */
const ABANDON_ATTEMPT: readonly Command[] = [
  { type: 'closeFrame' },
  { type: 'closeLink', notifyWallet: false },
]

/** The wallet's expiry timer starts when it responds, slightly before this side's. If it ends the session this late, the session has expired. */
const EXPIRY_TOLERANCE_MS = 2000

/** The flow table of §4.1 for a page with these defaults. */
export function sessionFlow(defaults: Settings) {
  /** Resets everything and emits one disconnect event with the reason. */
  const end = (
    state: PendingState | ConnectedState,
    {
      message,
      notifyWallet,
      mismatch,
    }: { message: string; notifyWallet: boolean; mismatch?: OtherAccount | undefined },
  ): Transition => [
    { step: 'disconnected', settings: defaults },
    { type: 'closeLink', notifyWallet },
    ...(state.step === 'connected'
      ? [{ type: 'removeSession' } as const]
      : [rejectInit(state, message)]),
    ...notify(state.settings, WALLET_APP_EVENTS.DISCONNECT),
    emit(WINDOW_MESSAGES.DISCONNECT, { message, ...(mismatch && { mismatch }) }),
  ]

  /** Ends an attempt before it was visible to anyone, without an event. */
  const drop = (state: PendingState, reason: string): Transition => [
    { step: 'disconnected', settings: defaults },
    ...ABANDON_ATTEMPT,
    rejectInit(state, reason),
  ]

  /** Ends an attempt that the page cancels before the wallet has responded. */
  const cancel = (state: PendingState, message: string): Transition => {
    const [next, ...commands] = end(state, { message, notifyWallet: false })
    return [next, { type: 'closeFrame' }, ...commands]
  }

  /** Does not notify the wallet: that would reopen its frame here and close the other tab's. */
  const frameReplaced = (state: PendingState): Transition => [
    { step: 'disconnected', settings: defaults },
    { type: 'closeLink', notifyWallet: false },
    rejectInit(state, FRAME_REPLACED),
    emit(WINDOW_MESSAGES.DISCONNECT, { message: FRAME_REPLACED }),
  ]

  const resume = (
    attempt: number,
    restorable: RestorableSession,
  ): readonly [State, ...Command[]] => {
    const settings = { ...defaults, ...restorable.settings }
    return [
      { step: 'connected', attempt, settings, session: restorable.session, operations: [] },
      { type: 'resumeLink', attempt, clientId: restorable.session.clientId },
      emit(WINDOW_MESSAGES.CONNECTED, connectionResult(restorable.session, 'existing_session')),
      ...notify(settings, WALLET_APP_EVENTS.SESSION_UPDATE),
    ]
  }

  const begin = ({ stored, now }: Input): Transition => {
    if (stored === undefined) return [{ step: 'disconnected', settings: defaults }]
    if (stored.restorable !== undefined && now < stored.restorable.session.connectionEXP) {
      return withExpiryWatch(resume(stored.attempt, stored.restorable))
    }
    return [
      { step: 'disconnected', settings: defaults },
      { type: 'endStoredSession' },
      { type: 'removeSession' },
      emit(WINDOW_MESSAGES.DISCONNECT, { message: EXPIRED }),
    ]
  }

  const startAttempt = (
    settings: Settings,
    { attempt, plan }: Extract<Event, { type: 'initRequested' }>,
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
    failed: { type: 'serviceFailed' },
    on: {
      disconnected: {
        initRequested: ({ settings }, event) => startAttempt(settings, event),
        sessionFound: (_, { attempt, restorable }) => withExpiryWatch(resume(attempt, restorable)),
        modalChanged: (state, event) => [withModal(state, event)],
        walletChosen: (state, { walletAppId }) => [withSettings(state, { walletAppId })],
        timeoutReset: (state, { connectionTimeoutMs }) => [withTimeout(state, connectionTimeoutMs)],
        operationEnded: (state, { event, data }) => [state, { type: 'emit', event, data }],
      },
      pending: {
        initRequested: ({ settings }, event) => {
          const [next, open] = startAttempt({ ...settings, walletAppId: undefined }, event)
          return [next, ...ABANDON_ATTEMPT, open]
        },
        codeCreated: (state, { attempt, modal, launch }) => {
          if (attempt !== state.attempt) return [state]
          const { iframeParentId } = state.settings
          return [
            withModal(state, { modal, walletAppId: undefined }),
            resolveInit(state),
            ...(launch ? [{ type: 'launchWallet', launch, iframeParentId } as const] : []),
          ]
        },
        codeFailed: (state, { attempt, reason }) =>
          attempt === state.attempt ? drop(state, reason) : [state],
        approved: (state, event) =>
          event.attempt === state.attempt ? connect(state, event) : [state],
        accountRefused: (state, { attempt, reason, mismatch }) =>
          attempt === state.attempt
            ? end(state, { message: reason, notifyWallet: true, mismatch })
            : [state],
        ended: (state, { attempt, message }) =>
          attempt === state.attempt ? end(state, { message, notifyWallet: false }) : [state],
        relayChanged: withRelay,
        disconnectRequested: (state, { message = ENDED_BY_PAGE }) => cancel(state, message),
        frameReplaced,
        // Another tab connected. An origin has one session, so this attempt has succeeded there.
        sessionFound: (state, { attempt, restorable }) => {
          const [next, ...commands] = withExpiryWatch(resume(attempt, restorable))
          return [next, ...ABANDON_ATTEMPT, resolveInit(state), ...commands]
        },
        modalChanged: (state, event) =>
          event.modal.showModal === false &&
          event.walletAppId === undefined &&
          state.settings.walletAppId === undefined
            ? drop(state, 'The connection dialog was closed')
            : [withModal(state, event)],
        walletChosen: (state, { walletAppId }) => [withSettings(state, { walletAppId })],
        timeoutReset: (state, { connectionTimeoutMs }) => [withTimeout(state, connectionTimeoutMs)],
        operationEnded: (state, { event, data }) => [state, { type: 'emit', event, data }],
        serviceFailed: (state) => drop(state, 'The connection could not be prepared'),
      },
      connected: {
        initRequested: (state, { attempt }) => [state, resolveInit({ attempt })],
        updated: (state, { attempt, account, now }) => {
          if (attempt !== state.attempt) return [state]
          const { clientId, peer } = state.session
          const session = sessionFrom(state, { clientId, account, peer, now })
          return [
            { ...state, session },
            { type: 'storeSession' },
            emit(WINDOW_MESSAGES.SESSION_UPDATED, connectionResult(session, 'existing_session')),
            ...notify(state.settings, WALLET_APP_EVENTS.SESSION_UPDATE),
          ]
        },
        accountRefused: (state, { attempt, reason }) =>
          attempt === state.attempt ? end(state, { message: reason, notifyWallet: true }) : [state],
        ended: (state, { attempt, message, now }) => {
          if (attempt !== state.attempt) return [state]
          const expired = now >= state.session.connectionEXP - EXPIRY_TOLERANCE_MS
          return end(state, { message: expired ? EXPIRED : message, notifyWallet: false })
        },
        relayChanged: withRelay,
        disconnectRequested: (state, { message = ENDED_BY_PAGE }) =>
          end(state, { message, notifyWallet: true }),
        expiryChecked: (state, { now }) =>
          now < state.session.connectionEXP
            ? [state]
            : end(state, { message: EXPIRED, notifyWallet: true }),
        // The tab that ended the session has notified the wallet; a second message would end the next session too.
        sessionRemoved: (state) => end(state, { message: ENDED_ELSEWHERE, notifyWallet: false }),
        sessionFound: (state, { attempt, restorable }) => {
          if (restorable.session.clientId !== state.session.clientId) {
            const [next, ...commands] = resume(attempt, restorable)
            return [next, { type: 'closeLink', notifyWallet: false }, ...commands]
          }
          const settings = { ...state.settings, ...restorable.settings }
          const peer = restorable.session.peer ?? state.session.peer
          return [{ ...state, settings, session: { ...restorable.session, peer } }]
        },
        modalChanged: (state, event) => [withModal(state, event)],
        walletChosen: (state, { walletAppId }) => [
          withSettings(state, { walletAppId }),
          { type: 'storeSession' },
        ],
        timeoutReset: (state, { connectionTimeoutMs, now }) =>
          withRestartedTimeout(withTimeout(state, connectionTimeoutMs), now),
        operationStarted: (state, { operation }) => [
          { ...state, operations: [...state.operations, operation] },
        ],
        operationEnded: (state, { id, event, data, signedJWT, now }) => {
          const operations = state.operations.filter((each) => each.id !== id)
          const session = signedJWT === undefined ? state.session : { ...state.session, signedJWT }
          const [next, ...commands] = withRestartedTimeout({ ...state, session, operations }, now)
          return [next, { type: 'emit', event, data }, ...commands]
        },
      },
    },
  })
}

function withRelay<Linked extends PendingState | ConnectedState>(
  state: Linked,
  { attempt, status }: Extract<Event, { type: 'relayChanged' }>,
): readonly [Linked] {
  return attempt === state.attempt ? [{ ...state, relay: status }] : [state]
}

function connect(state: PendingState, event: Extract<Event, { type: 'approved' }>): Transition {
  const session = sessionFrom(state, event)
  return [
    {
      step: 'connected',
      attempt: state.attempt,
      settings: { ...state.settings, modal: { ...state.settings.modal, showModal: false } },
      session,
      operations: [],
      ...(state.relay && { relay: state.relay }),
    },
    resolveInit(state),
    { type: 'storeSession' },
    { type: 'watchExpiry' },
    emit(WINDOW_MESSAGES.CONNECTED, connectionResult(session, 'new_session')),
    ...notify(state.settings, WALLET_APP_EVENTS.CONNECT),
  ]
}

/** A session that starts now and lasts for the current connection timeout (§4.1). */
function sessionFrom(
  { settings }: PendingState | ConnectedState,
  {
    clientId,
    account,
    peer,
    now,
  }: Pick<Session, 'clientId' | 'account' | 'peer'> & { readonly now: number },
): Session {
  return {
    clientId,
    account,
    connectionEST: now,
    connectionEXP: now + settings.connectionTimeoutMs,
    peer,
    signedJWT: account.jwt,
  }
}

/** Every operation resets the connection timeout (§4.1). */
function withRestartedTimeout(
  state: ConnectedState,
  now: number,
): readonly [ConnectedState, ...Command[]] {
  const { connectionTimeoutMs } = state.settings
  return [
    { ...state, session: { ...state.session, connectionEXP: now + connectionTimeoutMs } },
    { type: 'storeSession' },
    ...notify(state.settings, WALLET_APP_EVENTS.RESET_TIMEOUT, connectionTimeoutMs),
  ]
}

function withSettings<WithSettings extends State>(
  state: WithSettings,
  settings: Partial<Settings>,
): WithSettings {
  return { ...state, settings: { ...state.settings, ...settings } }
}

function withTimeout<WithSettings extends State>(
  state: WithSettings,
  connectionTimeoutMs: number | undefined,
): WithSettings {
  return connectionTimeoutMs === undefined ? state : withSettings(state, { connectionTimeoutMs })
}

function withModal<WithSettings extends State>(
  state: WithSettings,
  { modal, walletAppId }: { modal: Partial<ModalData>; walletAppId: WalletId | undefined },
): WithSettings {
  return withSettings(state, {
    modal: { ...state.settings.modal, ...modal },
    ...(walletAppId === undefined ? {} : { walletAppId }),
  })
}

function emit(event: BroadcastEventName, result: unknown): Command {
  return { type: 'emit', event, data: { result } }
}

function connectionResult(
  { connectionEST, connectionEXP }: Session,
  type: keyof typeof CONNECTION_TYPES,
) {
  const connectionType: ConnectionType = CONNECTION_TYPES[type]
  return { connectionEST, connectionEXP, connectionType }
}

function resolveInit({ attempt }: Pick<PendingState, 'attempt'>): Command {
  return { type: 'settleInit', attempt, refusal: undefined }
}

function rejectInit({ attempt }: Pick<PendingState, 'attempt'>, refusal: string): Command {
  return { type: 'settleInit', attempt, refusal }
}

/** Adds the expiry watch, which runs until the step is left. */
function withExpiryWatch([state, ...commands]: readonly [State, ...Command[]]): Transition {
  return [state, { type: 'watchExpiry' }, ...commands]
}

function notify({ walletAppId }: Settings, event: WalletAppEvent, data?: unknown): Command[] {
  if (walletAppId === undefined) return []
  return [{ type: 'notifyWallet', walletAppId, event, ...(data === undefined ? {} : { data }) }]
}
