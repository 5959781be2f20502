/** What a page asks, in words. Everything a page says is a stranger's: it is shown without anything a terminal obeys. */
import { hexOf } from '@portico/keys/bytes'
import type { TransactionRequest } from '@portico/wallet-connect/protocol'
import {
  type Acting,
  type ConnectRequest,
  describeMessage,
  type MessageDescription,
  type Page,
  type Question,
  readableText,
  type SignApproval,
  type SwitchGroupApproval,
} from '@portico/wallet-connect/wallet'

/** A page that wants to connect. */
export function connectInWords(
  { page, wishes }: ConnectRequest,
  acting: Acting,
): readonly string[] {
  return [
    `${pageInWords(page)} wants to connect`,
    line('account', acting.account.address),
    line('acting as', actorInWords(acting)),
    ...(wishes.connectionDurationS === undefined
      ? []
      : [line('for', `${wishes.connectionDurationS} seconds after the last request`)]),
    ...(wishes.groupAddress === undefined
      ? []
      : [line('it wants', `the group ${shown(wishes.groupAddress)}`)]),
  ]
}

/** A page that wants a signature over bytes: a token, a text, or neither. */
export function signInWords({ page, acting, asked, token }: SignApproval): readonly string[] {
  const text = readableText(asked.bytes)
  const claims = token === undefined ? [] : Object.entries(token)
  return [
    `${pageInWords(page)} wants ${token === undefined ? 'a signature' : 'a token that speaks for you'}`,
    ...describedInWords(asked.description, acting),
    ...claims.map(([name, value]) => line(name, shown(String(value)))),
    ...(text === undefined || token !== undefined
      ? []
      : [line('text', text.replaceAll('\n', '\n               '))]),
    line('bytes', hexOf(asked.bytes)),
  ]
}

/** A page that wants a transaction: each message with what it does. */
export function transactionInWords({
  page,
  acting,
  asked,
}: Question<TransactionRequest>): readonly string[] {
  const { gasPrice, feePayer, feeGranter, memo, timeoutHeight } = asked
  const terms = {
    memo,
    'gas price': gasPrice && `${gasPrice.gasPrice} ${gasPrice.gasPriceDenom}`,
    'fee payer': feePayer,
    'fee granter': feeGranter,
    'until height': timeoutHeight,
  }
  return [
    `${pageInWords(page)} wants to send a transaction`,
    ...describedInWords(asked.description, acting),
    ...asked.messages.flatMap((message) => messageInWords(describeMessage(message))),
    ...Object.entries(terms).flatMap(([name, value]) =>
      value === undefined ? [] : [line(name, shown(String(value)))],
    ),
  ]
}

/** A page that wants the wallet to act for a group, or no longer. */
export function switchInWords({ page, acting, asked }: SwitchGroupApproval): readonly string[] {
  const { groupAddress } = asked
  const wanted = groupAddress === undefined ? 'yourself' : `the group ${shown(groupAddress)}`
  return [`${pageInWords(page)} wants you to act as ${wanted}`, line('now', actorInWords(acting))]
}

function pageInWords({ peerMeta: { name, url } }: Page): string {
  return name === '' && url === ''
    ? 'A page that does not say its name'
    : `${shown(name) || 'A page'} at ${shown(url) || 'no address'}`
}

function describedInWords(description: string, acting: Acting): readonly string[] {
  return [
    line('it says', shown(description)),
    line('account', acting.account.address),
    line('acting as', actorInWords(acting)),
  ]
}

function actorInWords({ group }: Acting): string {
  return group === null ? 'yourself' : `the group ${shown(group.address)}`
}

function messageInWords(
  { typeUrl, known, details, inner }: MessageDescription,
  depth = 0,
): readonly string[] {
  const indent = '  '.repeat(depth)
  return [
    line(
      `${indent}message`,
      shown(typeUrl) + (known ? '' : ' (this wallet does not know what it does)'),
    ),
    ...details.map(({ name, value }) => line(`${indent}  ${name}`, shown(value))),
    ...inner.flatMap((each) => messageInWords(each, depth + 1)),
  ]
}

function line(name: string, value: string): string {
  return `  ${name.padEnd(12)} ${value}`
}

/** Without control characters and the like: they could move the cursor and rewrite what stands above. */
function shown(text: string): string {
  return text.replaceAll(/\p{C}/gu, '\uFFFD')
}
