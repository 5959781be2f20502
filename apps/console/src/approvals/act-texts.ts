/** The texts of acts and requests. */

import type { ActRequest, ActRequestState } from '@portico/contracts/admin/act-requests'
import type { ApprovableAct } from '@portico/contracts/admin/second-operator'
import { ERROR_CATALOG } from '@portico/contracts/error-catalog'
import { formatTime } from '@portico/rules/format'
import { FACTOR_TEXTS, ROLE_TEXTS } from '../texts.ts'

type Input = ActRequest['input']

const wordIn = (words: Readonly<Record<string, string>>, key: unknown) =>
  words[String(key)] ?? String(key)

const roleIn = ({ role }: Input) => {
  const titles = Object.entries(ROLE_TEXTS).map(([name, { title }]) => [name, title] as const)
  return wordIn(Object.fromEntries(titles), role)
}

const AFTERWARDS: Readonly<Record<string, string>> = {
  file: 'its file applies again',
  everyone: 'everyone gets it',
  'no-one': 'no one gets it',
}

/** Names the organization of a code; `*` stands for all. */
type NameOf = (code: string) => string

type Sentence = (input: Input, subject: string, nameOf: NameOf) => string

const SENTENCES: Readonly<Record<ApprovableAct, Sentence>> = {
  unlockPerson: (_, subject) => `${subject} can log in again and is notified by mail.`,
  lockPerson: (_, subject) =>
    `The sessions of ${subject} end, and they cannot log in until someone unlocks them.`,
  endPersonSessions: (_, subject) =>
    `${subject} is logged out everywhere, their remembered devices are forgotten, and they are notified by mail.`,
  resetPersonFactor: ({ factor }, subject) =>
    `${subject} loses a factor: ${wordIn(FACTOR_TEXTS, factor)}. Their sessions end, and they are notified by mail.`,
  changePersonOrganization: ({ organizationCode }, subject, nameOf) =>
    `${subject} is moved to ${nameOf(String(organizationCode))} and notified by mail.`,
  deletePerson: ({ deleteHostedWallets }, subject) =>
    `The account of ${subject} is permanently deleted${deleteHostedWallets === true ? ', with the keys of its hosted wallets' : ''}. They are notified by mail.`,
  publishOrganization: (_, subject, nameOf) =>
    `The draft of ${nameOf(subject)}, as it was at the time of the request, is published. All pages and mails show it within seconds.`,
  undoOrganization: ({ version, current }, subject, nameOf) =>
    version === 0
      ? `The file of ${nameOf(subject)} applies again, in place of version ${String(current)}.`
      : `Version ${String(version)} of ${nameOf(subject)} is published again, in place of version ${String(current)}.`,
  publishBanner: ({ showAgain }, subject) =>
    `Visitors see ‘${subject}’${showAgain === true ? ', including those who dismissed it before' : ''}.`,
  endBanner: (_, subject) => `Visitors no longer see ‘${subject}’.`,
  startExperiment: ({ split, startsAt, stopsAt }, subject) =>
    [
      `${String((split as { percent?: unknown } | undefined)?.percent)}% of the visitors get ‘${subject}’`,
      typeof startsAt === 'number' ? `from ${formatTime(startsAt)}` : '',
      typeof stopsAt === 'number' ? `until ${formatTime(stopsAt)}` : '',
    ]
      .filter((part) => part !== '')
      .join(' ')
      .concat('.'),
  endExperiment: ({ afterwards }, subject) =>
    `The run of ‘${subject}’ ends permanently, and ${wordIn(AFTERWARDS, afterwards)}.`,
  grantRole: (input, subject, nameOf) =>
    `${subject} gets the role ${roleIn(input)} for ${codesIn(input).map(nameOf).join(', ')}.`,
  revokeRole: (input, subject, nameOf) =>
    `${subject} loses the role ${roleIn(input)} for ${nameOf(String(input['organizationCode']))}.`,
  revokeServiceToken: (_, subject) => `The token ${subject} stops working at once.`,
}

const codesIn = ({ organizationCodes }: Input): readonly string[] =>
  Array.isArray(organizationCodes) ? organizationCodes.map(String) : []

/** Describes the effect of an act. */
export function actSentence({ act, input, subject }: ActRequest, nameOf: NameOf): string {
  return SENTENCES[act](input, subject, nameOf)
}

type Tone = 'ok' | 'warn' | 'danger' | 'neutral'

export const STATE_TEXTS: Readonly<Record<ActRequestState, { text: string; tone: Tone }>> = {
  waiting: { text: 'Waiting', tone: 'warn' },
  expired: { text: 'Expired', tone: 'neutral' },
  withdrawn: { text: 'Withdrawn', tone: 'neutral' },
  declined: { text: 'Declined', tone: 'neutral' },
  running: { text: 'In progress', tone: 'warn' },
  done: { text: 'Done', tone: 'ok' },
  failed: { text: 'Failed', tone: 'danger' },
  interrupted: { text: 'Interrupted', tone: 'danger' },
}

const FAILURES: Readonly<Record<string, string>> = {
  'not-permitted': 'The requester is no longer allowed to do this.',
  'not-found': 'It no longer exists, or belongs to another organization now.',
  'edit-outdated': 'Someone edited it after the request.',
  'invalid-request': 'It is no longer valid.',
}

/** Why an act cannot be done. */
export function failureText(code: string): string {
  const catalog: Readonly<Record<string, { readonly message: string }>> = ERROR_CATALOG
  return FAILURES[code] ?? catalog[code]?.message ?? code
}
