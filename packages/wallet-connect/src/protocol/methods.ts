/**
 * The requests a page can send to a wallet (protocol 9). The first parameter is metadata as a JSON text; the others are
 * hexadecimal. A page builds requests and a wallet parses them; an invalid request carries the error to respond with.
 */
import { bytesOfHex } from '@portico/keys/bytes'
import * as z from 'zod/mini'
import { type AnyMessage, anyParameter, readAnyParameter, withoutPrefix } from './any-message.ts'
import { RPC_ERRORS, type RpcError } from './errors.ts'
import { fieldsIn, parsedJson, redirectUrlIn } from './fields.ts'
import { type ReceivedRequest, type RpcId, type RpcRequest, rpcRequest } from './json-rpc.ts'

/** The method that requests a signature. */
export const SIGN = 'provenance_sign'

/** The method that signs and broadcasts a transaction. */
export const SEND_TRANSACTION = 'provenance_sendTransaction'

/** The method for all other wallet actions. */
export const WALLET_ACTION = 'wallet_action'

interface BaseParameters {
  readonly id: RpcId
  readonly description: string
  /** Epoch milliseconds. */
  readonly date: number
}

interface AccountParameters extends BaseParameters {
  readonly address: string
  /** Identifies the request if the page withdraws it later. */
  readonly customId?: string | undefined
  /** Where the user returns to after the response. */
  readonly redirectUrl?: string | undefined
}

/** The price a page offers per unit of gas. */
export type GasPrice = { readonly gasPrice: number; readonly gasPriceDenom: string }

/** Transaction fields besides the messages; the wallet decides those that are absent. */
export interface TransactionTerms {
  readonly gasPrice?: GasPrice | undefined
  readonly feeGranter?: string | undefined
  readonly feePayer?: string | undefined
  readonly memo?: string | undefined
  /** A block height. */
  readonly timeoutHeight?: number | undefined
}

/** Builds a request to sign bytes, given in hexadecimal without `0x`. */
export function signRequest({
  id,
  hex,
  description,
  address,
  date,
  customId,
  redirectUrl,
}: AccountParameters & { readonly hex: string }): RpcRequest {
  const metadata = { description, address, date, customId, redirectUrl }
  return rpcRequest(id, SIGN, [JSON.stringify(metadata), hex])
}

/** Builds a request to sign and broadcast one transaction with all these messages, each a base64 `Any`. */
export function sendTransactionRequest({
  id,
  messages,
  ...metadata
}: AccountParameters &
  TransactionTerms & {
    readonly messages: readonly string[]
    readonly extensionOptions?: readonly string[] | undefined
    readonly nonCriticalExtensionOptions?: readonly string[] | undefined
  }): RpcRequest {
  return rpcRequest(id, SEND_TRANSACTION, [JSON.stringify(metadata), ...messages.map(anyParameter)])
}

/** The actions of `wallet_action`. */
export type WalletAction =
  | {
      readonly action: 'switchToGroup'
      /** Absent: act as the individual again. */
      readonly payload?: { readonly address: string } | undefined
    }
  | { readonly action: 'removePendingMethod'; readonly payload: { readonly customId: string } }

/** Builds a request to act for a group or to withdraw an earlier request. */
export function walletActionRequest({
  id,
  description,
  action,
  payload,
  date,
}: BaseParameters & WalletAction): RpcRequest {
  return rpcRequest(id, WALLET_ACTION, [JSON.stringify({ description, action, payload, date })])
}

const optionalText = z.optional(z.catch(z.optional(z.string().check(z.minLength(1))), undefined))
const optionalNumber = z.optional(z.catch(z.optional(z.number()), undefined))

const Metadata = z.object({
  description: z.catch(z.string(), ''),
  address: z.catch(z.string(), ''),
  date: optionalNumber,
  customId: optionalText,
  redirectUrl: z.optional(z.unknown()),
  action: optionalText,
  payload: z.optional(z.unknown()),
  // These fields decide what a transaction costs and does, so an invalid value must fail instead of being dropped.
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

interface RequestMetadata {
  readonly description: string
  /** The account the page expects to use. */
  readonly address: string
  readonly date?: number | undefined
  readonly customId?: string | undefined
  /** Where the page wants the user to return to after the response. */
  readonly redirectUrl?: string | undefined
}

/** A parsed signature request. */
export interface SignRequest extends RequestMetadata {
  readonly kind: 'sign'
  readonly bytes: Uint8Array
}

/** A parsed transaction request. */
export interface TransactionRequest extends RequestMetadata, TransactionTerms {
  readonly kind: 'sendTransaction'
  readonly messages: readonly AnyMessage[]
  /** Base64 as sent, each supposed to be an `Any`. Invalid ones are kept, since the user decides about them. */
  readonly extensionOptions: readonly string[]
  readonly nonCriticalExtensionOptions: readonly string[]
}

/** A parsed wallet action. */
export type ActionRequest = RequestMetadata & { readonly kind: 'walletAction' } & (
    | { readonly action: 'switchToGroup'; readonly groupAddress: string | undefined }
    | { readonly action: 'removePendingMethod'; readonly pendingId: string }
  )

/** A parsed request; `unknown` and `unreadable` carry the error to respond with. */
export type WalletRequest =
  | SignRequest
  | TransactionRequest
  | ActionRequest
  | { readonly kind: 'unknown'; readonly error: RpcError }
  | { readonly kind: 'unreadable'; readonly error: RpcError }

const UNKNOWN = { kind: 'unknown', error: RPC_ERRORS.methodNotFound } as const
const UNREADABLE = { kind: 'unreadable', error: RPC_ERRORS.invalidParams } as const

/** Parses a page's request. Every hexadecimal parameter may begin with `0x`. */
export function parseWalletRequest({
  method,
  params,
}: Pick<ReceivedRequest, 'method' | 'params'>): WalletRequest {
  if (![SIGN, SEND_TRANSACTION, WALLET_ACTION].includes(method)) return UNKNOWN
  const [first, ...others] = params
  const metadataValue = typeof first === 'string' ? parsedJson(first) : first
  if (metadataValue === undefined) return { kind: 'unreadable', error: RPC_ERRORS.parseError }
  const metadata = Metadata.safeParse(metadataValue)
  if (!metadata.success) return UNREADABLE
  if (method === WALLET_ACTION) return parseAction(metadata.data)
  const texts = others.filter((each) => typeof each === 'string')
  if (texts.length < others.length) return UNREADABLE
  return method === SIGN ? parseSign(metadata.data, texts) : parseTransaction(metadata.data, texts)
}

type Metadata = z.output<typeof Metadata>

function parseSign(metadata: Metadata, [hex = '']: readonly string[]): WalletRequest {
  const bytes = bytesOfHex(withoutPrefix(hex))
  if (bytes === undefined || bytes.length === 0) return UNREADABLE
  return { kind: 'sign', ...requestMetadata(metadata), bytes }
}

function parseTransaction(metadata: Metadata, parameters: readonly string[]): WalletRequest {
  const messages = allOf(parameters.map(readAnyParameter))
  if (messages === undefined || messages.length === 0) return UNREADABLE
  const { gasPrice, feeGranter, feePayer, memo, timeoutHeight } = metadata
  const terms = { gasPrice, feeGranter, feePayer, memo, timeoutHeight }
  return {
    kind: 'sendTransaction',
    ...requestMetadata(metadata),
    ...terms,
    messages,
    extensionOptions: metadata.extensionOptions ?? [],
    nonCriticalExtensionOptions: metadata.nonCriticalExtensionOptions ?? [],
  }
}

function parseAction(metadata: Metadata): WalletRequest {
  const { action, payload } = metadata
  const request = { kind: 'walletAction', ...requestMetadata(metadata) } as const
  const { address, customId } = fieldsIn(payload)
  if (action === 'removePendingMethod') {
    return typeof customId === 'string' ? { ...request, action, pendingId: customId } : UNREADABLE
  }
  if (action !== 'switchToGroup') return UNKNOWN
  // No payload means acting as the individual again; a payload without a group address is an error.
  if (payload == null) return { ...request, action, groupAddress: undefined }
  if (typeof address !== 'string' || address === '') return UNREADABLE
  return { ...request, action, groupAddress: address }
}

function requestMetadata({
  description,
  address,
  date,
  customId,
  redirectUrl,
}: Metadata): RequestMetadata {
  return { description, address, date, customId, redirectUrl: redirectUrlIn(redirectUrl) }
}

/** All items, or `undefined` if one is missing: a transaction is signed exactly as requested or not at all. */
function allOf<Item>(items: readonly (Item | undefined)[]): readonly Item[] | undefined {
  const present = items.filter((item) => item !== undefined)
  return present.length === items.length ? present : undefined
}
