import { fieldsIn } from '../../protocol/fields.ts'
import type { RpcRequest } from '../../protocol/json-rpc.ts'
import type { OperationResult } from '../broadcast-events.ts'
import type { Verify } from '../conversation.ts'
import type { PendingMethod } from '../settings.ts'
import { type BroadcastEventName, WINDOW_MESSAGES } from '../window-messages.ts'

/** The input of an operation: the connected account, and values from outside. */
export interface OperationContext {
  readonly id: number
  /** Epoch milliseconds. */
  readonly now: number
  readonly address: string
  readonly publicKey: string
  readonly customId?: string | undefined
}

/** An operation's result without its request. */
export type Outcome<Result = unknown> = Omit<OperationResult<Result>, 'request'>

/** One operation of the wallet: the request to send, and the verification of the response. */
export interface Operation<Result = unknown> {
  readonly method: PendingMethod
  readonly request: RpcRequest
  /** Identifies the operation if the page withdraws it later. */
  readonly customId?: string | undefined
  /** Set if the request is invalid and must not be sent. */
  readonly refusal?: string | undefined
  /** Data for the event to a wallet next to the page. */
  readonly eventData?: unknown
  readonly outcomeOf: (response: unknown, verify: Verify) => Outcome<Result>
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

/** The event that an ended operation broadcasts (§4.1). */
export function endingEvent(method: PendingMethod, { error }: Outcome): BroadcastEventName {
  return EVENTS[method][error === undefined ? 'complete' : 'failed']
}

/** The outcome of a failed operation. */
export function failure(error: string): Outcome<never> {
  return { valid: false, error }
}

/** The response if it is a signature: 64 bytes in hexadecimal. */
export function signatureIn(response: unknown): string | undefined {
  return typeof response === 'string' && /^[0-9a-f]{128}$/i.test(response) ? response : undefined
}

/** The error for a signature that is not by the connected account. */
export const WRONG_SIGNATURE = "The signature is not the connected account's"

/** The `txResponse` of a wallet's response to a transaction. */
export function txResponseIn(response: unknown): Readonly<Record<string, unknown>> {
  return fieldsIn(fieldsIn(response)['txResponse'])
}
