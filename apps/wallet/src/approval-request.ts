import type { ApprovalRequest } from '@portico/contracts/hosted-wallet'

/** Something that has an address and was given a name. */
interface Named {
  readonly name: string
  readonly address: string
}

/** Whom an account acts as: itself, or a group. */
export interface ActingAs {
  readonly account: Named
  readonly group: Named | null
}

/** One way to say yes to a page that wants to connect. */
export interface Choice extends ActingAs {
  /** Tells it from the others. */
  readonly value: string
  readonly request: ApprovalRequest
}

interface Asking {
  /** Tells it from every other question of this wallet. */
  readonly id: number
  /** Where the page is from as the browser says, never as the page does; undefined where the browser cannot say. */
  readonly origin: string | undefined
  /** How many requests wait, this one included. */
  readonly waiting: number
}

/** A page wants to connect. Without a choice it wants what no account of this wallet can give. */
export interface ConnectRequest extends Asking {
  readonly kind: 'connect'
  readonly choices: readonly Choice[]
  /** How long the page may show the account's token, in seconds. */
  readonly lifetimeS: number
}

/** A connected page wants something signed, sent or switched. */
export interface ActRequest extends Asking {
  readonly kind: 'act'
  readonly acting: ActingAs
  readonly request: ApprovalRequest
}

/** What a page asks of the person. */
export type Question = ConnectRequest | ActRequest
