/** Describes a page's requests in words. All text from a page is untrusted, so terminal control characters are removed. */
import type { TransactionMessage } from '@portico/contracts/hosted-wallet'
import { hexOf } from '@portico/keys/bytes'
import { readableText } from '@portico/wallet-connect/describe-bytes'
import { describeMessage } from '@portico/wallet-connect/describe-message'
import {
  type ActiveAccount,
  type ConnectRequest,
  type Page,
  type SendTransactionRequest,
  type SignMessageRequest,
  type SwitchToGroupRequest,
} from '@portico/wallet-connect/wallet'

/** Describes a request to connect. */
export function connectText(
  { page, connectOptions }: ConnectRequest,
  acting: ActiveAccount,
): readonly string[] {
  return [
    `${pageText(page)} wants to connect`,
    line('account', acting.account.address),
    line('acting as', actorText(acting)),
    ...(connectOptions.connectionDurationS === undefined
      ? []
      : [line('for', `${connectOptions.connectionDurationS} seconds after the last request`)]),
    ...(connectOptions.groupAddress === undefined
      ? []
      : [line('it wants', `the group ${printable(connectOptions.groupAddress)}`)]),
  ]
}

/** Describes a request to sign bytes: a token, a text, or neither. */
export function signText({ page, acting, request, token }: SignMessageRequest): readonly string[] {
  const text = readableText(request.bytes)
  const claims = token === undefined ? [] : Object.entries(token)
  return [
    `${pageText(page)} wants ${token === undefined ? 'a signature' : 'a token that speaks for you'}`,
    ...descriptionLines(request.description, acting),
    ...claims.map(([name, value]) => line(name, printable(String(value)))),
    ...(text === undefined || token !== undefined
      ? []
      : [line('text', text.replaceAll('\n', '\n               '))]),
    line('bytes', hexOf(request.bytes)),
  ]
}

/** Describes a transaction with each of its messages. */
export function transactionText({
  page,
  acting,
  request,
}: SendTransactionRequest): readonly string[] {
  const { gasPrice, feePayer, feeGranter, memo, timeoutHeight } = request
  const terms = {
    memo,
    'gas price': gasPrice && `${gasPrice.gasPrice} ${gasPrice.gasPriceDenom}`,
    'fee payer': feePayer,
    'fee granter': feeGranter,
    'until height': timeoutHeight,
  }
  return [
    `${pageText(page)} wants to send a transaction`,
    ...descriptionLines(request.description, acting),
    ...request.messages.flatMap((message) =>
      describeMessage(message).messages.flatMap(messageLines),
    ),
    ...Object.entries(terms).flatMap(([name, value]) =>
      value === undefined ? [] : [line(name, printable(String(value)))],
    ),
  ]
}

/** Describes a request to act for a group or for the individual again. */
export function switchToGroupText({
  page,
  acting,
  request,
}: SwitchToGroupRequest): readonly string[] {
  const { groupAddress } = request
  const wanted = groupAddress === undefined ? 'yourself' : `the group ${printable(groupAddress)}`
  return [`${pageText(page)} wants you to act as ${wanted}`, line('now', actorText(acting))]
}

function pageText({ peerMeta: { name, url } }: Page): string {
  return name === '' && url === ''
    ? 'A page without a name'
    : `${printable(name) || 'A page'} at ${printable(url) || 'no address'}`
}

function descriptionLines(description: string, acting: ActiveAccount): readonly string[] {
  return [
    line('it says', printable(description)),
    line('account', acting.account.address),
    line('acting as', actorText(acting)),
  ]
}

function actorText({ group }: ActiveAccount): string {
  return group === null ? 'yourself' : `the group ${printable(group.address)}`
}

function messageLines({
  level,
  typeUrl,
  understood,
  fields,
}: TransactionMessage): readonly string[] {
  const indent = '  '.repeat(level)
  return [
    line(`${indent}message`, typeUrl + (understood ? '' : ' (unknown to this wallet)')),
    ...fields.map((field) =>
      line(
        `${indent}  ${field.label.toLowerCase()}`,
        printable(field.kind === 'address' ? field.address : field.value),
      ),
    ),
  ]
}

function line(name: string, value: string): string {
  return `  ${name.padEnd(12)} ${value}`
}

/** Replaces control and formatting characters, which could move the cursor and overwrite earlier lines. */
function printable(text: string): string {
  return text.replaceAll(/\p{C}/gu, '\uFFFD')
}
