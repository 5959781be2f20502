import type {
  ApprovalDescription,
  ApprovalRequest,
  ProofReason,
} from '@portico/contracts/hosted-wallet'
import type { ApprovalPrompt } from '../approval-prompt.ts'
import type { ApprovalDetails } from './approval.flow.ts'

const TITLES = {
  connect: 'Connect to this page?',
  sign: 'Sign this message?',
  'sign-jwt': 'Sign this token?',
  send: 'Send this transaction?',
  'switch-group': 'Change who you act for?',
} as const satisfies Record<ApprovalRequest['kind'], string>

const APPROVE = {
  connect: 'Connect',
  sign: 'Sign',
  'sign-jwt': 'Sign',
  send: 'Send',
  'switch-group': 'Change',
} as const satisfies Record<ApprovalRequest['kind'], string>

const WORKING = {
  connect: 'Connecting…',
  sign: 'Signing…',
  'sign-jwt': 'Signing…',
  send: 'Sending…',
  'switch-group': 'Changing…',
} as const satisfies Record<ApprovalRequest['kind'], string>

/** The heading of a request: its effect, as soon as it is decoded. */
export function titleOf(prompt: ApprovalPrompt, details?: ApprovalDetails): string {
  if (details?.kind === 'act') {
    const { words } = details
    if (words.kind === 'transaction') return `${words.effect}?`
    if (words.kind === 'switch-group') {
      return words.group === null ? 'Act for yourself again?' : `Act for ${words.group.name}?`
    }
    if (words.kind === 'token') return 'Let this page act as you?'
  }
  return TITLES[kindOf(prompt)]
}

/** The labels of the approve button, idle and busy. */
export function approveWords(prompt: ApprovalPrompt): {
  readonly label: string
  readonly busy: string
} {
  return { label: APPROVE[kindOf(prompt)], busy: WORKING[kindOf(prompt)] }
}

function kindOf(prompt: ApprovalPrompt): ApprovalRequest['kind'] {
  return prompt.kind === 'connect' ? 'connect' : prompt.request.kind
}

/** The effect of a request, as a sentence that continues after the page's origin. */
export function sentenceOf(words: ApprovalDescription): string {
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

/** Why the user must confirm their identity. */
export const PROOF_REASONS: Readonly<Record<ProofReason, string>> = {
  'new-recipient': 'You have not sent to this recipient before, so confirm first.',
  'above-limit': 'This is more than you can send in a day without confirming, so confirm first.',
  unclear: 'We cannot decode everything this does, so confirm first.',
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
