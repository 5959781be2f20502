import { fieldsIn } from '../../protocol/fields.ts'
import type { RpcRequest } from '../../protocol/json-rpc.ts'
import type { OperationResult } from '../broadcast-events.ts'
import type { Verify } from '../conversation.ts'
import type { PendingMethod } from '../settings.ts'
import { type BroadcastEventName, WINDOW_MESSAGES } from '../window-messages.ts'

/** What an operation knows when it begins: who is connected, and the values that come from outside. */
export interface Asking {
  readonly id: number
  /** Epoch milliseconds. */
  readonly now: number
  readonly address: string
  readonly publicKey: string
  readonly customId?: string | undefined
}

/** A result without the request it belongs to. */
export type Outcome<Result = unknown> = Omit<OperationResult<Result>, 'request'>

/** One thing asked of the wallet: what is sent, and how the answer is judged. */
export interface Operation<Result = unknown> {
  readonly method: PendingMethod
  readonly request: RpcRequest
  /** The name under which it can be withdrawn. */
  readonly customId?: string | undefined
  /** Set where the request is faulty, so that the wallet is never asked. */
  readonly refusal?: string | undefined
  /** What a wallet beside the page is told about it. */
  readonly eventData?: unknown
  readonly judge: (answer: unknown, verify: Verify) => Outcome<Result>
}

const EVENTS: Readonly<
  Record<
    PendingMethod,
    { readonly complete: BroadcastEventName; readonly failed: BroadcastEventName }
  >
> = {
  sendMessage: {
    complete: WINDOW_MESSAGES.SEND_MESSAGE_COMPLETE,
    failed: WINDOW_MESSAGES.SEND_MESSAGE_FAILED,
  },
  signHexMessage: {
    complete: WINDOW_MESSAGES.SIGN_HEX_MESSAGE_COMPLETE,
    failed: WINDOW_MESSAGES.SIGN_HEX_MESSAGE_FAILED,
  },
  signJWT: { complete: WINDOW_MESSAGES.SIGN_JWT_COMPLETE, failed: WINDOW_MESSAGES.SIGN_JWT_FAILED },
  switchToGroup: {
    complete: WINDOW_MESSAGES.SWITCH_TO_GROUP_COMPLETE,
    failed: WINDOW_MESSAGES.SWITCH_TO_GROUP_FAILED,
  },
  removePendingMethod: {
    complete: WINDOW_MESSAGES.REMOVE_PENDING_METHOD_COMPLETE,
    failed: WINDOW_MESSAGES.REMOVE_PENDING_METHOD_FAILED,
  },
}

/** The event that tells how an operation ended (§4.1). */
export function endingEvent(method: PendingMethod, { error }: Outcome): BroadcastEventName {
  return EVENTS[method][error === undefined ? 'complete' : 'failed']
}

/** An operation that failed, and why. */
export function failure(error: string): Outcome<never> {
  return { valid: false, error }
}

/** The text of a signature, where an answer is one: 64 bytes in hexadecimal. */
export function signatureIn(answer: unknown): string | undefined {
  return typeof answer === 'string' && /^[0-9a-f]{128}$/i.test(answer) ? answer : undefined
}

/** What the page is told when a signature is not by the connected account. */
export const WRONG_SIGNATURE = "The signature is not the connected account's"

/** Reads what a wallet's answer says about a transaction. */
export function txResponseIn(answer: unknown): Readonly<Record<string, unknown>> {
  return fieldsIn(fieldsIn(answer)['txResponse'])
}
