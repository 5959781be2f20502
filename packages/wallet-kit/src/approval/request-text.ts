import type {
  ApprovalDescription,
  ApprovalRequest,
  ProofReason,
} from '@portico/contracts/hosted-wallet'
import { escapeInvisible } from '@portico/contracts/invisible-characters'
import { shortAddress } from '@portico/rules/short-address'
import { isSamePage, isSignInText, otherSiteIn } from '@portico/rules/sign-in-text'
import type { ApprovalPrompt } from '../approval-prompt.ts'
import type { ApprovalDetails } from './approval.flow.ts'

/** The title of each kind of request, and the labels of its approve button, idle and busy. */
const TEXTS = {
  connect: { title: 'Connect to this page?', label: 'Connect', busyLabel: 'Connecting…' },
  sign: { title: 'Sign this message?', label: 'Sign', busyLabel: 'Signing…' },
  'sign-jwt': { title: 'Sign this token?', label: 'Sign', busyLabel: 'Signing…' },
  send: { title: 'Send this transaction?', label: 'Send', busyLabel: 'Sending…' },
  'switch-group': { title: 'Change who you act for?', label: 'Change', busyLabel: 'Changing…' },
} as const satisfies Record<ApprovalRequest['kind'], Readonly<Record<string, string>>>

/** The heading of a request: its effect, as soon as it is decoded. */
export function titleOf(prompt: ApprovalPrompt, details?: ApprovalDetails): string {
  if (details?.kind === 'act') {
    const { words } = details
    if (words.kind === 'transaction') return `${escapeInvisible(words.effect)}?`
    if (words.kind === 'switch-group') {
      return words.group === null
        ? 'Act for yourself again?'
        : `Act for ${escapeInvisible(words.group.name || shortAddress(words.group.address))}?`
    }
    if (words.kind === 'token') return 'Let this page act as you?'
  }
  return textsOf(prompt).title
}

/** The texts of a kind of request, independent of its content. */
export function textsOf(prompt: ApprovalPrompt) {
  return TEXTS[prompt.kind === 'connect' ? 'connect' : prompt.request.kind]
}

/** The effect of a request, as a sentence that continues after the page's origin. */
export function sentenceOf(words: ApprovalDescription | { readonly kind: 'connect' }): string {
  switch (words.kind) {
    case 'connect':
      return 'wants to see your account and to ask you for signatures.'
    case 'switch-group':
      return words.group === null
        ? 'wants you to act for yourself again.'
        : 'wants you to act for an organization.'
    case 'text':
      return 'wants you to sign this text.'
    case 'bytes':
      return 'wants you to sign data that cannot be shown as text.'
    case 'token':
      return 'wants a token that lets it act as you until it expires.'
    case 'transaction':
      return 'wants you to approve this.'
  }
}

/**
 * The warning for content that names a site. Texts that sign in to another site are refused; this one is about those that are not in
 * a known form, and about pages whose address is only what they say about themselves.
 */
export function siteWarning(words: ApprovalDescription, audience: string): string | undefined {
  if (words.kind === 'token') {
    return isSamePage(words.issuer, audience)
      ? undefined
      : `This token names ${words.issuer}, which is not the page that asks. Sign it only if you trust both.`
  }
  if (words.kind !== 'text') return undefined
  if (isSignInText(words.text)) {
    return 'This signs you in. Sign it only if the page in front of you is the one that the text names.'
  }
  const other = otherSiteIn(words.text, audience)
  return other === undefined
    ? undefined
    : `This text names ${other}, which is not the page that asks. Sign it only if you trust both.`
}

const PROOF_REASONS: Readonly<Record<ProofReason, string>> = {
  'new-recipient': 'You have not sent to this recipient before, so confirm first.',
  'above-limit': 'This is more than you can send in a day without confirming, so confirm first.',
  unclear: 'We cannot decode everything this does, so confirm first.',
}

/** Why the user must confirm their identity. A vote, for example, can be decoded, but not what the group then does. */
export function proofText(reason: ProofReason, words: ApprovalDescription): string {
  const isDecoded =
    words.kind === 'transaction' &&
    words.extensions === 0 &&
    words.messages.every(({ understood }) => understood)
  return reason === 'unclear' && isDecoded
    ? 'This can lead to more than it shows, so confirm first.'
    : PROOF_REASONS[reason]
}

/** A duration in its largest fitting unit. */
export function formatDuration(seconds: number): string {
  const units = [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
  ] as const
  const [size, name] = units.find(([unit]) => seconds >= unit) ?? [1, 'second']
  const count = Math.round(seconds / size)
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

/** A time in UTC, independent of the user's locale. */
export function timeOf(epochS: number): string {
  const at = new Date(epochS * 1000)
  return Number.isNaN(at.getTime())
    ? String(epochS)
    : `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
