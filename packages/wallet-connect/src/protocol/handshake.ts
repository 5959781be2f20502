/**
 * How a session begins, changes and ends (protocol 6). The page asks on the handshake topic, the wallet answers with its
 * accounts; later either side may send an update, which nobody answers, and an update that is not approved is the end.
 */
import * as z from 'zod/mini'
import { catch as otherwise } from 'zod/mini'
import { fieldsIn, textOf } from './fields.ts'
import {
  type ReceivedAnswer,
  type ReceivedRequest,
  type RpcId,
  type RpcRequest,
  rpcRequest,
} from './json-rpc.ts'
import { redirectUrlIn } from './redirect-url.ts'

/** The method that asks for a session. */
export const SESSION_REQUEST = 'wc_sessionRequest'

/** The method that changes or ends a session. */
export const SESSION_UPDATE = 'wc_sessionUpdate'

const PeerMeta = z.object({
  name: otherwise(z.string(), ''),
  description: otherwise(z.string(), ''),
  url: otherwise(z.string(), ''),
  icons: otherwise(z.array(z.string()), []),
})

/** How a page or a wallet introduces itself. Said by itself, so worth no trust. */
export type PeerMeta = Readonly<z.output<typeof PeerMeta>>

/** What a page says when it asks for a session. */
export interface SessionRequest {
  readonly peerId: string
  readonly peerMeta: PeerMeta
  readonly chainId: string | number | null
  /** Where some pages want the person to be sent afterwards. */
  readonly redirectUrl?: string | undefined
}

/** What both sides agree on: the wallet's network and accounts. */
export interface SessionTerms {
  /** Text in all wallets of these networks, though the protocol's first version says number. */
  readonly chainId: string | number | null
  readonly networkId: number | null
  /** As it came; `parseAccounts` reads it. */
  readonly accounts: unknown
  readonly rpcUrl: string | null
}

/** A wallet that said yes. */
export interface Approval extends SessionTerms {
  readonly peerId: string
  readonly peerMeta: PeerMeta
}

/** What an answer to a session request comes to; both forms of a refusal are one outcome. */
export type HandshakeOutcome =
  | { readonly kind: 'approved'; readonly approval: Approval }
  | { readonly kind: 'rejected'; readonly message: string }

/** What a `wc_sessionUpdate` says. */
export type SessionUpdate =
  | ({ readonly kind: 'updated' } & SessionTerms)
  | { readonly kind: 'ended' }

/** The request for a session. */
export function sessionRequest(
  id: RpcId,
  { peerId, peerMeta, chainId, redirectUrl }: SessionRequest,
): RpcRequest {
  return rpcRequest(id, SESSION_REQUEST, [{ peerId, peerMeta, chainId, redirectUrl }])
}

/** Reads a request for a session; without a peer id it could not be answered. */
export function parseSessionRequest({
  method,
  params,
}: Pick<ReceivedRequest, 'method' | 'params'>): SessionRequest | undefined {
  const { peerId, peerMeta, chainId, redirectUrl } = fieldsIn(params[0])
  if (method !== SESSION_REQUEST || textOf(peerId) === undefined) return undefined
  return {
    peerId: String(peerId),
    peerMeta: peerMetaIn(peerMeta),
    chainId: chainIdIn(chainId),
    redirectUrl: redirectUrlIn(redirectUrl),
  }
}

/** The result by which a wallet approves a session. */
export function approvalResult(approval: Approval): Readonly<Record<string, unknown>> {
  return { approved: true, ...approval }
}

/** Reads the answer to a session request. An approval without a peer id leads nowhere and is not understood. */
export function parseHandshakeAnswer(answer: ReceivedAnswer): HandshakeOutcome | undefined {
  if (answer.kind === 'error') return { kind: 'rejected', message: answer.message }
  const result = fieldsIn(answer.result)
  if (result['approved'] === false) return { kind: 'rejected', message: 'Session update rejected' }
  const peerId = textOf(result['peerId'])
  if (result['approved'] !== true || peerId === undefined) return undefined
  const peerMeta = peerMetaIn(result['peerMeta'])
  return { kind: 'approved', approval: { ...termsIn(result), peerId, peerMeta } }
}

/** The message that the session's accounts or network have changed. */
export function sessionUpdate(id: RpcId, terms: SessionTerms): RpcRequest {
  return rpcRequest(id, SESSION_UPDATE, [{ approved: true, ...terms }])
}

/** The message that the session is over. */
export function sessionEnd(id: RpcId): RpcRequest {
  return rpcRequest(id, SESSION_UPDATE, [
    { approved: false, chainId: null, networkId: null, accounts: null },
  ])
}

/** Reads a session update. */
export function parseSessionUpdate({
  method,
  params,
}: Pick<ReceivedRequest, 'method' | 'params'>): SessionUpdate | undefined {
  const fields = fieldsIn(params[0])
  if (method !== SESSION_UPDATE) return undefined
  if (fields['approved'] === false) return { kind: 'ended' }
  return fields['approved'] === true ? { kind: 'updated', ...termsIn(fields) } : undefined
}

/** Reads how a peer introduces itself; some wallets send null. */
export function peerMetaIn(value: unknown): PeerMeta {
  return PeerMeta.parse(fieldsIn(value))
}

function termsIn(fields: Readonly<Record<string, unknown>>): SessionTerms {
  const { networkId, accounts, rpcUrl } = fields
  return {
    chainId: chainIdIn(fields['chainId']),
    networkId: typeof networkId === 'number' ? networkId : null,
    accounts,
    rpcUrl: typeof rpcUrl === 'string' ? rpcUrl : null,
  }
}

function chainIdIn(value: unknown): string | number | null {
  return typeof value === 'string' || typeof value === 'number' ? value : null
}
