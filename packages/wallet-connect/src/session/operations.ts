import { base64Of, bytesOfBase64, bytesOfHex, hexOf } from '@portico/keys/bytes'
import { completeJwt, unsignedJwt } from '@portico/keys/jwt'
import { fieldsIn, textOf } from '../protocol/fields.ts'
import type { RpcRequest } from '../protocol/json-rpc.ts'
import {
  type GasPrice,
  sendTransactionRequest,
  signRequest,
  type WalletAction,
  walletActionRequest,
} from '../protocol/methods.ts'
import type { PendingMethod } from './config.ts'
import type { Verify } from './conversation.ts'
import {
  type BroadcastEventName,
  type OperationResult,
  type SendMessageMethodResult,
  type SignHexMessageMethodResult,
  type SignJWTMethodResult,
  WINDOW_MESSAGES,
} from './events.ts'

/** The input of an operation: the connected account, and values from outside. */
export interface OperationContext {
  readonly id: number
  /** Epoch milliseconds. */
  readonly now: number
  readonly address: string
  readonly publicKey: string
  readonly customId?: string | undefined
  /** Where the user returns to afterwards. */
  readonly redirectUrl?: string | undefined
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

const EVENT_PREFIXES = {
  sendMessage: 'SEND_MESSAGE',
  signHexMessage: 'SIGN_HEX_MESSAGE',
  signJWT: 'SIGN_JWT',
  switchToGroup: 'SWITCH_TO_GROUP',
  removePendingMethod: 'REMOVE_PENDING_METHOD',
} as const satisfies Record<PendingMethod, string>

/** The event that an ended operation broadcasts (§4.1). */
export function endingEvent(method: PendingMethod, { error }: Outcome): BroadcastEventName {
  const ending = error === undefined ? 'COMPLETE' : 'FAILED'
  return WINDOW_MESSAGES[`${EVENT_PREFIXES[method]}_${ending}`]
}

/** The outcome of a failed operation. */
export function failure(error: string): Outcome<never> {
  return { valid: false, error }
}

/** The response if it is a signature: 64 bytes in hexadecimal. */
function signatureIn(response: unknown): string | undefined {
  return typeof response === 'string' && /^[0-9a-f]{128}$/i.test(response) ? response : undefined
}

/** The error for a signature that is not by the connected account. */
const WRONG_SIGNATURE = "The signature is not the connected account's"

/** The `txResponse` of a wallet's response to a transaction. */
function txResponseIn(response: unknown): Readonly<Record<string, unknown>> {
  return fieldsIn(fieldsIn(response)['txResponse'])
}

/** The wording of §5. */
const NOT_HEX = 'Message parameter is not a hex value.'

/**
 * Requests a signature over bytes. A message that is not hexadecimal text of whole bytes is refused before the wallet is
 * contacted, so that the user does not approve something that is then discarded.
 */
export function signHexMessage(
  hex: string,
  { id, now, address, publicKey, customId, redirectUrl }: OperationContext,
): Operation<SignHexMessageMethodResult> {
  const description = 'Sign Message'
  const bytes = hex === '' ? undefined : bytesOfHex(hex)
  return {
    method: 'signHexMessage',
    request: signRequest({ id, hex, description, address, date: now, customId, redirectUrl }),
    customId,
    refusal: bytes === undefined ? NOT_HEX : undefined,
    outcomeOf: (response, verify) => {
      const signature = signatureIn(response)
      if (bytes === undefined || signature === undefined) return failure(WRONG_SIGNATURE)
      if (!isBy(publicKey, { message: bytes, signature, verify })) {
        return { valid: false, error: WRONG_SIGNATURE, result: { signature } }
      }
      return { valid: true, result: { signature } }
    },
  }
}

/** Whether a hexadecimal signature was made with a public key in base64 of either alphabet. */
function isBy(
  publicKey: string,
  { message, signature, verify }: { message: Uint8Array; signature: string; verify: Verify },
): boolean {
  const key = bytesOfBase64(publicKey)
  const bytes = bytesOfHex(signature)
  return key !== undefined && bytes !== undefined && verify(key, message, bytes)
}

/** Default lifetime of an identity token (§3). */
const LIFETIME_S = 1440

/**
 * Requests an identity token. The page builds it and the wallet signs its bytes. While a group is represented the token
 * names the group; otherwise signing one would silently turn the user back into an individual.
 */
export function signJwt(
  {
    expiresS = LIFETIME_S,
    issuer,
    group,
  }: {
    readonly expiresS?: number | undefined
    readonly issuer: string
    readonly group: string | undefined
  },
  { id, now, address, publicKey, customId, redirectUrl }: OperationContext,
): Operation<SignJWTMethodResult> {
  const iat = Math.round(now / 1000)
  const expires = iat + expiresS
  const key = bytesOfBase64(publicKey)
  const unsigned = unsignedJwt({
    sub: key === undefined ? publicKey : base64Of(key),
    iss: issuer,
    iat,
    exp: expires,
    addr: address,
    ...(group === undefined ? {} : { grp: group }),
  })
  const bytes = new TextEncoder().encode(unsigned)
  const description = 'Sign JWT Token'
  return {
    method: 'signJWT',
    request: signRequest({
      id,
      hex: hexOf(bytes),
      description,
      address,
      date: now,
      customId,
      redirectUrl,
    }),
    customId,
    outcomeOf: (response, verify) => {
      const signature = signatureIn(response)
      if (signature === undefined || !isBy(publicKey, { message: bytes, signature, verify }))
        return failure(WRONG_SIGNATURE)
      // `signatureIn` has checked that it is hexadecimal.
      const signedJWT = completeJwt(unsigned, bytesOfHex(signature) ?? new Uint8Array())
      return { valid: true, result: { signature, signedJWT, expires } }
    },
  }
}

/** The methods of a request. */
export type ProvenanceMethod = 'provenance_sign' | 'provenance_sendTransaction' | 'wallet_action'

/** The options of `sendMessage`. */
export interface SendMessageMethod {
  readonly customId?: string
  readonly description?: string
  readonly extensionOptions?: string[]
  readonly feeGranter?: string
  readonly feePayer?: string
  readonly gasPrice?: GasPrice
  readonly memo?: string
  /** Each a base64 `Any`; all go into one transaction. */
  readonly message: string | string[]
  readonly method?: ProvenanceMethod
  readonly nonCriticalExtensionOptions?: string[]
  readonly timeoutHeight?: number
}

/** Signs and broadcasts a transaction. §5: a response with a nonzero code is a failure with the raw log as error. */
export function sendMessage(
  { message, method, description = 'Send Message', ...terms }: SendMessageMethod,
  { id, now, address, redirectUrl }: OperationContext,
): Operation<SendMessageMethodResult> {
  const messages = [message].flat()
  const request = sendTransactionRequest({
    id,
    messages,
    description,
    address,
    date: now,
    redirectUrl,
    ...terms,
  })
  return {
    method: 'sendMessage',
    request: method === undefined ? request : { ...request, method },
    customId: terms.customId,
    outcomeOf: (response) => {
      // Wallets differ in their other fields; the page receives them unparsed.
      const result = response as SendMessageMethodResult
      const { code, rawLog } = txResponseIn(response)
      if (!code) return { valid: true, result }
      return {
        valid: false,
        result,
        error: textOf(rawLog) ?? `The transaction failed with code ${JSON.stringify(code)}`,
      }
    },
  }
}

const REFUSED = 'The wallet did not carry out the request'

/** Switches the wallet to a group, or back to the individual if no group is given. */
export function switchToGroup(
  groupAddress: string | undefined,
  description: string | undefined,
  context: Pick<OperationContext, 'id' | 'now'>,
): Operation {
  const payload = groupAddress ? { address: groupAddress } : undefined
  return action({ action: 'switchToGroup', payload }, description, context)
}

/** Withdraws an earlier request. */
export function removePendingMethod(
  customId: string,
  context: Pick<OperationContext, 'id' | 'now'>,
): Operation {
  return action({ action: 'removePendingMethod', payload: { customId } }, undefined, context)
}

function action(
  walletAction: WalletAction,
  description = 'Send Wallet Action',
  { id, now }: Pick<OperationContext, 'id' | 'now'>,
): Operation {
  const request = walletActionRequest({ id, description, date: now, ...walletAction })
  return {
    method: walletAction.action,
    request,
    eventData: { ...walletAction, description, method: request.method },
    outcomeOf: (response) =>
      response
        ? { valid: true, result: response }
        : { valid: false, error: REFUSED, result: response },
  }
}
