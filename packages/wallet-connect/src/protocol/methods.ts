/**
 * What a page can ask of a wallet (protocol 9). The first parameter is metadata, written as a JSON text; the others are
 * hexadecimal. A page builds requests, a wallet reads them; whatever a wallet cannot read has the fault to answer with.
 */
import { bytesOfHex } from '@portico/keys/bytes'
import * as z from 'zod/mini'
import { catch as otherwise } from 'zod/mini'
import { type AnyMessage, anyParameter, readAnyParameter, withoutPrefix } from './any-message.ts'
import { RPC_ERRORS, type RpcErrorName } from './errors.ts'
import { fieldsIn, parsedJson } from './fields.ts'
import { type ReceivedRequest, type RpcId, type RpcRequest, rpcRequest } from './json-rpc.ts'
import { redirectUrlIn } from './redirect-url.ts'

/** The method that asks for a signature. */
export const SIGN = 'provenance_sign'

/** The method that asks to sign and broadcast a transaction. */
export const SEND_TRANSACTION = 'provenance_sendTransaction'

/** The method that asks something else of the wallet. */
export const WALLET_ACTION = 'wallet_action'

interface Described {
  readonly id: RpcId
  readonly description: string
  /** Epoch milliseconds. */
  readonly date: number
}

interface Addressed extends Described {
  readonly address: string
  /** The name under which the request can be withdrawn. */
  readonly customId?: string | undefined
}

/** What a page offers to pay for a unit of gas. */
export type GasPrice = { readonly gasPrice: number; readonly gasPriceDenom: string }

/** The parts of a transaction that are not its messages; absent ones are the wallet's to decide. */
export interface TransactionTerms {
  readonly gasPrice?: GasPrice | undefined
  readonly feeGranter?: string | undefined
  readonly feePayer?: string | undefined
  readonly memo?: string | undefined
  /** A block height. */
  readonly timeoutHeight?: number | undefined
}

/** Asks for a signature over bytes, given in hexadecimal without `0x`. */
export function signRequest({
  id,
  hex,
  description,
  address,
  date,
  customId,
}: Addressed & { readonly hex: string }): RpcRequest {
  return rpcRequest(id, SIGN, [JSON.stringify({ description, address, date, customId }), hex])
}

/** Asks to sign and broadcast one transaction with all these messages, each a base64 `Any`. */
export function sendTransactionRequest({
  id,
  messages,
  ...metadata
}: Addressed &
  TransactionTerms & {
    readonly messages: readonly string[]
    readonly extensionOptions?: readonly string[] | undefined
    readonly nonCriticalExtensionOptions?: readonly string[] | undefined
  }): RpcRequest {
  return rpcRequest(id, SEND_TRANSACTION, [JSON.stringify(metadata), ...messages.map(anyParameter)])
}

/** What `wallet_action` can be asked to do. */
export type WalletAction =
  | {
      readonly action: 'switchToGroup'
      /** Absent: act as the individual again. */
      readonly payload?: { readonly address: string } | undefined
    }
  | { readonly action: 'removePendingMethod'; readonly payload: { readonly customId: string } }

/** Asks to act for a group, or withdraws an earlier request. */
export function walletActionRequest({
  id,
  description,
  action,
  payload,
  date,
}: Described & WalletAction): RpcRequest {
  return rpcRequest(id, WALLET_ACTION, [JSON.stringify({ description, action, payload, date })])
}

const optionalText = z.optional(otherwise(z.optional(z.string().check(z.minLength(1))), undefined))
const optionalNumber = z.optional(otherwise(z.optional(z.number()), undefined))

const Metadata = z.object({
  description: otherwise(z.string(), ''),
  address: otherwise(z.string(), ''),
  date: optionalNumber,
  customId: optionalText,
  redirectUrl: z.optional(z.unknown()),
  action: optionalText,
  payload: z.optional(z.unknown()),
  // What follows decides what a transaction costs and does: a value that cannot be read must not be dropped in silence.
  gasPrice: z.optional(
    z.object({ gasPrice: z.number().check(z.nonnegative()), gasPriceDenom: z.string() }),
  ),
  feeGranter: z.optional(z.string()),
  feePayer: z.optional(z.string()),
  memo: z.optional(z.string()),
  timeoutHeight: z.optional(z.number().check(z.nonnegative())),
  extensionOptions: z.optional(z.array(z.string())),
  nonCriticalExtensionOptions: z.optional(z.array(z.string())),
})

interface Asked {
  readonly description: string
  /** The account the page means. */
  readonly address: string
  readonly date?: number | undefined
  readonly customId?: string | undefined
  /** Where the page wants the person to be sent after the answer. */
  readonly redirectUrl?: string | undefined
}

/** A page asks for a signature. */
export interface SignRequest extends Asked {
  readonly kind: 'sign'
  readonly bytes: Uint8Array
}

/** A page asks for a transaction. */
export interface TransactionRequest extends Asked, TransactionTerms {
  readonly kind: 'sendTransaction'
  readonly messages: readonly AnyMessage[]
  /** As the page wrote them: base64, each an `Any` if it is right; the person decides about one that is not. */
  readonly extensionOptions: readonly string[]
  readonly nonCriticalExtensionOptions: readonly string[]
}

/** A page asks for something else. */
export type ActionRequest = Asked & { readonly kind: 'walletAction' } & (
    | { readonly action: 'switchToGroup'; readonly groupAddress: string | undefined }
    | { readonly action: 'removePendingMethod'; readonly pendingId: string }
  )

/** What a request asks of the wallet; `unknown` and `unreadable` carry the fault that answers them. */
export type WalletRequest =
  | SignRequest
  | TransactionRequest
  | ActionRequest
  | { readonly kind: 'unknown'; readonly fault: RpcErrorName }
  | { readonly kind: 'unreadable'; readonly fault: RpcErrorName }

const UNKNOWN = { kind: 'unknown', fault: RPC_ERRORS.methodNotFound } as const
const UNREADABLE = { kind: 'unreadable', fault: RPC_ERRORS.invalidParams } as const

/** Reads a page's request. Every hexadecimal parameter may begin with `0x`. */
export function parseWalletRequest({
  method,
  params,
}: Pick<ReceivedRequest, 'method' | 'params'>): WalletRequest {
  if (![SIGN, SEND_TRANSACTION, WALLET_ACTION].includes(method)) return UNKNOWN
  const [first, ...others] = params
  const written = typeof first === 'string' ? parsedJson(first) : first
  if (written === undefined) return { kind: 'unreadable', fault: RPC_ERRORS.parseError }
  const metadata = Metadata.safeParse(written)
  if (!metadata.success) return UNREADABLE
  if (method === WALLET_ACTION) return actionAsked(metadata.data)
  const texts = others.filter((each) => typeof each === 'string')
  if (texts.length < others.length) return UNREADABLE
  return method === SIGN ? signAsked(metadata.data, texts) : transactionAsked(metadata.data, texts)
}

type Metadata = z.output<typeof Metadata>

function signAsked(metadata: Metadata, [hex = '']: readonly string[]): WalletRequest {
  const bytes = bytesOfHex(withoutPrefix(hex))
  if (bytes === undefined || bytes.length === 0) return UNREADABLE
  return { kind: 'sign', ...asked(metadata), bytes }
}

function transactionAsked(metadata: Metadata, parameters: readonly string[]): WalletRequest {
  const messages = allOf(parameters.map(readAnyParameter))
  if (messages === undefined || messages.length === 0) return UNREADABLE
  const { gasPrice, feeGranter, feePayer, memo, timeoutHeight } = metadata
  const terms = { gasPrice, feeGranter, feePayer, memo, timeoutHeight }
  return {
    kind: 'sendTransaction',
    ...asked(metadata),
    ...terms,
    messages,
    extensionOptions: metadata.extensionOptions ?? [],
    nonCriticalExtensionOptions: metadata.nonCriticalExtensionOptions ?? [],
  }
}

function actionAsked(metadata: Metadata): WalletRequest {
  const { address, customId } = fieldsIn(metadata.payload)
  if (metadata.action === 'removePendingMethod') {
    if (typeof customId !== 'string') return UNREADABLE
    return {
      kind: 'walletAction',
      ...asked(metadata),
      action: metadata.action,
      pendingId: customId,
    }
  }
  if (metadata.action !== 'switchToGroup') return UNKNOWN
  // No payload is the wish to act as oneself again; a payload without a group is a mistake, not that wish.
  if (metadata.payload == null)
    return {
      kind: 'walletAction',
      ...asked(metadata),
      action: metadata.action,
      groupAddress: undefined,
    }
  if (typeof address !== 'string' || address === '') return UNREADABLE
  return {
    kind: 'walletAction',
    ...asked(metadata),
    action: metadata.action,
    groupAddress: address,
  }
}

function asked({ description, address, date, customId, redirectUrl }: Metadata): Asked {
  return { description, address, date, customId, redirectUrl: redirectUrlIn(redirectUrl) }
}

/** All of them, or nothing where one is missing: a transaction is signed as it was asked for or not at all. */
function allOf<Item>(items: readonly (Item | undefined)[]): readonly Item[] | undefined {
  const present = items.filter((item) => item !== undefined)
  return present.length === items.length ? present : undefined
}
