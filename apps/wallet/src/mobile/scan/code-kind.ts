import { parseUri, unwrapUri } from '@portico/wallet-connect/protocol'

/** The kind of a scanned or pasted text: a connection, or the reason that it is not one. */
export type CodeKind =
  | { readonly kind: 'connection'; readonly uri: string }
  | { readonly kind: 'other'; readonly reason: string }

/** Determines what a text is. Links to our own pages that carry no code are ordinary web addresses. */
export function codeKind(text: string): CodeKind {
  const uri = unwrapUri(text)
  if (uri !== undefined && parseUri(uri) !== undefined) return { kind: 'connection', uri }
  if (/^wc:[^?]*@[2-9]/.test(uri ?? text)) {
    return other('This code is for another kind of wallet.')
  }
  if (uri !== undefined) return other('This connection code is damaged or incomplete.')
  const url = URL.parse(text.trim())
  if (url !== null && /^https?:$/.test(url.protocol)) {
    return other(`This is a link to ${url.hostname}, not a connection.`)
  }
  if (/^(?:bitcoin|ethereum|cosmos|lightning|[a-z]{2,6}1[a-z\d]{38,})\b/i.test(text.trim())) {
    return other('This is an address for payments, not a connection.')
  }
  return other('This code contains a text, not a connection.')
}

const other = (reason: string) => ({ kind: 'other', reason }) as const
