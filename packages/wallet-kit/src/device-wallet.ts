/** The ports of a wallet on the user's own device: a phone's web app or a browser extension. */
import type { ActingAs, Decision, PromptAnswer } from './approval-prompt.ts'
import type { KeyKeeper } from './key-keeper.ts'
import type { RequestSource } from './request-source.ts'

/** The choices of how long the wallet stays unlocked without input, in minutes. */
export const IDLE_MINUTES = [1, 5, 15, 30, 60] as const
export type IdleMinutes = (typeof IDLE_MINUTES)[number]
export const DEFAULT_IDLE_MINUTES: IdleMinutes = 15

/** The state of the vault that contains the recovery words, accounts and history. */
export type VaultState =
  /** No wallet was created on this device. */
  | { readonly step: 'empty' }
  | {
      readonly step: 'locked'
      readonly hasPasskey: boolean
      /** After wrong passphrases, when the next attempt is allowed, in epoch milliseconds; null if now. */
      readonly retryAt: number | null
    }
  | {
      readonly step: 'unlocked'
      readonly hasPasskey: boolean
      readonly idleMinutes: IdleMinutes
    }

/** Something that was signed or declined. */
export interface HistoryEntry {
  readonly id: string
  /** Epoch milliseconds. */
  readonly at: number
  /** The page's origin; undefined if the browser could not verify it. */
  readonly origin: string | undefined
  readonly acting: ActingAs
  /** What was decided, such as 'Send 25 hash to Larch Partners'. */
  readonly effect: string
  readonly decision: Decision
  /** The transaction's hash, if one was sent. */
  readonly txhash: string | null
  /** The proposal that waits or waited for the votes of a group, if the transaction submitted one. */
  readonly proposalId?: string | undefined
}

/**
 * A key keeper on the device. One recovery phrase derives all accounts. The vault is encrypted with a passphrase and optionally
 * with a passkey.
 *
 * Throws a `Refusal`: `wallet-locked`, `vault-missing`, `vault-damaged`, `vault-from-newer-version`, `passphrase-wrong`, or
 * `too-many-attempts` with the time to wait.
 */
export interface DeviceKeyKeeper extends KeyKeeper {
  readonly vault: () => Promise<VaultState>
  /** Calls back when the vault was locked, unlocked or removed, or its accounts changed; returns a function that removes the listener. */
  readonly subscribe: (listener: () => void) => () => void
  /** Creates the vault with its first account. `words` are new recovery words or existing ones to restore, 12 to 24. */
  readonly createVault: (vault: {
    readonly words: string
    readonly passphrase: string
    readonly accountName: string
  }) => Promise<void>
  readonly unlock: (secret: { readonly passphrase: string } | 'passkey') => Promise<void>
  /** The recovery words, after the passphrase was confirmed. */
  readonly revealWords: (passphrase: string) => Promise<string>
  readonly changePassphrase: (change: {
    readonly current: string
    readonly next: string
  }) => Promise<void>
  /** Lets a passkey unlock the vault too, after proving that this browser's passkeys can encrypt (PRF). */
  readonly addPasskey: (passphrase: string) => Promise<void>
  readonly removePasskey: () => Promise<void>
  readonly setIdleMinutes: (minutes: IdleMinutes) => Promise<void>
  /** Restarts the idle time after user input. */
  readonly extend: () => Promise<void>
  /** Removes the vault from this device; only the recovery words can restore it. Needs no passphrase, which may be forgotten. */
  readonly removeVault: () => Promise<void>
  /**
   * The result of a prompt that was already approved, for example before the extension's worker was stopped; undefined if it is
   * still to be decided. A proposal stays `proposed`, even after it is decided. `outcome-unknown` only while the chain cannot be reached: a later call determines the outcome.
   */
  readonly resultOf: (promptId: string) => Promise<PromptAnswer>
  /** The most recent entries first. */
  readonly history: () => Promise<readonly HistoryEntry[]>
}

/** A page that is connected to the wallet. */
export interface ConnectedSite {
  readonly id: string
  /** The page's origin as reported by the browser; undefined if unknown, as after scanning a code. */
  readonly origin: string | undefined
  /** The page's own name for itself, which may be false. */
  readonly claimedName: string
  /** The page's own address for itself, which may be false. */
  readonly claimedUrl: string
  readonly acting: ActingAs
  /** Epoch milliseconds. */
  readonly connectedAt: number
  readonly expiresAt: number
}

/** Why a code did not lead to a connection. */
export type ConnectFailure =
  | 'account-unavailable'
  | 'code-unreadable'
  | 'failed'
  | 'rejected'
  | 'relay-unreachable'
  | 'unanswered'
  /** The storage is full, or requests of as many pages wait as can be connected. */
  | 'wallet-full'

/** The way back to a page, checked with `pageReturnUrl` of `@portico/rules/redirect-target`. */
export type PageReturn =
  | { readonly kind: 'allowed'; readonly url: string }
  /** The page asked for an address that is not its own. `pageUrl` is its own; undefined if that is not a web address. */
  | { readonly kind: 'refused'; readonly pageUrl: string | undefined }

/** The requests of all connected pages. */
export interface DeviceRequestSource extends RequestSource {
  readonly sites: () => readonly ConnectedSite[]
  /**
   * The number of requests that wait for the user, including those that cannot be shown while the wallet is locked or until the
   * page has answered.
   */
  readonly waiting: () => number
  /** How the last request ended, until the next one arrives. */
  readonly decided: () => Decision | undefined
  /**
   * Where the page of the last decided request asked the user to return to (protocol 6, 9); undefined if it did not ask. Offered
   * as a button, never followed by itself.
   */
  readonly pageReturn: () => PageReturn | undefined
  /**
   * Joins the connection of a code in any form (protocol 2, 14). Settles when the user has decided; undefined means connected.
   * `origin` is the page's origin if the browser reported it.
   */
  readonly connect: (
    code: string,
    origin: string | undefined,
  ) => Promise<ConnectFailure | undefined>
  /** Ends the connection to a page and notifies it. */
  readonly disconnect: (siteId: string) => Promise<void>
}

/** Persistent storage on the device, shared by all windows of the wallet. */
export interface DeviceStore {
  readonly read: (key: string) => Promise<string | undefined>
  /**
   * Changes a value while no other window or worker can change it. Returning undefined removes it. Settles when the new value is
   * stored; if `change` throws, nothing changes and the update fails with the same error.
   */
  readonly update: (
    key: string,
    change: (stored: string | undefined) => Promise<string | undefined> | string | undefined,
  ) => Promise<void>
  /** Calls back when any window has changed the value to another one; returns a function that removes the listener. */
  readonly subscribe: (key: string, listener: () => void) => () => void
}
