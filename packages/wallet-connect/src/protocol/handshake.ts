/**
 * How a session begins, changes and ends (protocol 6). The page sends its request on the handshake topic and the wallet responds with its
 * accounts. Later either side may send an update, which gets no response; an update with `approved: false` ends the session.
 */

import * as z from 'zod/mini'
import { fieldsIn, redirectUrlIn, textOf } from './fields.ts'
import {
  type ReceivedRequest,
  type ReceivedResponse,
  type RpcId,
  type RpcRequest,
  rpcRequest,
} from './json-rpc.ts'
import { storedLength } from './stored-length.ts'

/** The method that requests a session. */
export const SESSION_REQUEST = 'wc_sessionRequest'

/** The method that changes or ends a session. */
export const SESSION_UPDATE = 'wc_sessionUpdate'

const PeerMeta = z.object({
  name: z.catch(z.string(), ''),
  description: z.catch(z.string(), ''),
  url: z.catch(z.string(), ''),
  icons: z.catch(z.array(z.string()), []),
})

// A wallet stores what an unknown page sends before its user has decided.
const MAX_TOPIC_LENGTH = 256
const MAX_TEXT_LENGTH = 2048
const MAX_ICONS = 8

/** The metadata of a page or wallet. It is self-declared and must not be trusted. */
export type PeerMeta = Readonly<z.output<typeof PeerMeta>>

/** A page's request for a session. */
export interface SessionRequest {
  readonly peerId: string
  readonly peerMeta: PeerMeta
  readonly chainId: string | number | null
  /** Where the user returns to afterwards, if the page asks for that. */
  readonly redirectUrl?: string | undefined
}

/** The network and accounts of a session. */
export interface SessionTerms {
  /** A string in all wallets of these networks, although the original protocol specifies a number. */
  readonly chainId: string | number | null
  readonly networkId: number | null
  /** Unparsed; see `parseAccounts`. */
  readonly accounts: unknown
  readonly rpcUrl: string | null
}

/** A wallet's approval of a session. */
export interface Approval extends SessionTerms {
  readonly peerId: string
  readonly peerMeta: PeerMeta
}

/** The outcome of a session request; both wire forms of a rejection are mapped to one. */
export type HandshakeOutcome =
  | { readonly kind: 'approved'; readonly approval: Approval }
  | { readonly kind: 'rejected'; readonly message: string }

/** The content of a `wc_sessionUpdate`. */
export type SessionUpdate =
  | ({ readonly kind: 'updated' } & SessionTerms)
  | { readonly kind: 'ended' }

/** Builds a session request. */
export function sessionRequest(
  id: RpcId,
  { peerId, peerMeta, chainId, redirectUrl }: SessionRequest,
): RpcRequest {
  return rpcRequest(id, SESSION_REQUEST, [{ peerId, peerMeta, chainId, redirectUrl }])
}

/**
 * Parses a session request; `undefined` without a usable peer id, since there would be nowhere to respond to. Overlong metadata is
 * dropped.
 */
export function parseSessionRequest({
  method,
  params,
}: Pick<ReceivedRequest, 'method' | 'params'>): SessionRequest | undefined {
  const { peerId, peerMeta, chainId, redirectUrl } = fieldsIn(params[0])
  const topic = textOf(peerId)
  if (method !== SESSION_REQUEST || topic === undefined || topic.length > MAX_TOPIC_LENGTH) {
    return undefined
  }
  const { name, description, url, icons } = peerMetaIn(peerMeta)
  return {
    peerId: topic,
    peerMeta: {
      name: shortText(name),
      description: shortText(description),
      url: shortText(url),
      icons: icons.filter((icon) => shortText(icon) !== '').slice(0, MAX_ICONS),
    },
    chainId: chainIdIn(chainId),
    redirectUrl: redirectUrlIn(redirectUrl),
  }
}

const shortText = (text: string) => (storedLength(text) > MAX_TEXT_LENGTH ? '' : text)

/** Builds the result of a wallet's approval. */
export function approvalResult(approval: Approval): Readonly<Record<string, unknown>> {
  return { approved: true, ...approval }
}

/** Parses the response to a session request; `undefined` for an approval without a peer id, which is unusable. */
export function parseHandshakeResponse(answer: ReceivedResponse): HandshakeOutcome | undefined {
  if (answer.kind === 'error') return { kind: 'rejected', message: answer.message }
  const result = fieldsIn(answer.result)
  if (result['approved'] === false) return { kind: 'rejected', message: 'Session update rejected' }
  const peerId = textOf(result['peerId'])
  if (result['approved'] !== true || peerId === undefined) return undefined
  const peerMeta = peerMetaIn(result['peerMeta'])
  return { kind: 'approved', approval: { ...termsIn(result), peerId, peerMeta } }
}

/** Builds the message that the session's accounts or network have changed. */
export function sessionUpdate(id: RpcId, terms: SessionTerms): RpcRequest {
  return rpcRequest(id, SESSION_UPDATE, [{ approved: true, ...terms }])
}

/** Builds the message that ends the session. */
export function sessionEnd(id: RpcId): RpcRequest {
  return rpcRequest(id, SESSION_UPDATE, [
    { approved: false, chainId: null, networkId: null, accounts: null },
  ])
}

/** Parses a session update. */
export function parseSessionUpdate({
  method,
  params,
}: Pick<ReceivedRequest, 'method' | 'params'>): SessionUpdate | undefined {
  const fields = fieldsIn(params[0])
  if (method !== SESSION_UPDATE) return undefined
  if (fields['approved'] === false) return { kind: 'ended' }
  return fields['approved'] === true ? { kind: 'updated', ...termsIn(fields) } : undefined
}

/** Parses peer metadata; some wallets send null. */
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
  if (typeof value === 'string') return value.length > MAX_TEXT_LENGTH ? null : value
  return typeof value === 'number' ? value : null
}
