import type { ApprovalRequest, ApprovalWords, ProofReason } from '@portico/contracts/hosted-wallet'
import type { Question } from '../approval-request.ts'
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

/** What is asked, as a heading: what happens, as soon as that is known. */
export function titleOf(question: Question, matter?: ApprovalDetails): string {
  if (matter?.kind === 'act') {
    const { words } = matter
    if (words.kind === 'transaction') return `${words.effect}?`
    if (words.kind === 'switch-group') {
      return words.group === null ? 'Act for yourself again?' : `Act for ${words.group.name}?`
    }
    if (words.kind === 'token') return 'Let this page act as you?'
  }
  return TITLES[kindOf(question)]
}

/** What the button says that agrees, and what it says while that is done. */
export function approveWords(question: Question): {
  readonly label: string
  readonly busy: string
} {
  return { label: APPROVE[kindOf(question)], busy: WORKING[kindOf(question)] }
}

function kindOf(question: Question): ApprovalRequest['kind'] {
  return question.kind === 'connect' ? 'connect' : question.request.kind
}

/** What will happen, in one sentence after the page's origin. */
export function sentenceOf(words: ApprovalWords): string {
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

/** Why a proof is asked for, before what it is asked for. */
export const PROOF_REASONS: Readonly<Record<ProofReason, string>> = {
  'new-recipient': 'You have not sent to this recipient before, so confirm first.',
  'above-limit': 'This is more than you can send in a day without confirming, so confirm first.',
  unclear: 'We cannot tell everything that this does, so confirm first.',
}

/** A span of time in the largest unit that says it well. */
export function spanOf(seconds: number): string {
  const units = [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
  ] as const
  const [size, name] = units.find(([unit]) => seconds >= unit) ?? [1, 'second']
  const count = Math.round(seconds / size)
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

/** A time as the wallet shows it: the same for every reader, with its zone. */
export function timeOf(epochS: number): string {
  const at = new Date(epochS * 1000)
  return Number.isNaN(at.getTime())
    ? String(epochS)
    : `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
