import { hexOf } from '@portico/keys/bytes'
import { privateKeyAt } from '@portico/keys/derivation'
import { readJwt, verifyJwt } from '@portico/keys/jwt'
import { seedOfWords } from '@portico/keys/mnemonic'
import { sign, verify } from '@portico/keys/signature'
import { expect, test } from 'vitest'
import { WINDOW_MESSAGES } from './events.ts'
import {
  endingEvent,
  removePendingMethod,
  sendMessage,
  signHexMessage,
  signJwt,
  switchToGroup,
} from './operations.ts'

// Protocol 17.2: the testnet account of the published words.
const WORDS =
  'bleak alpha bunker give message direct powder general issue awesome animal ice entry parade invest sausage tragic away nuclear gaze learn during crew benefit'
const KEY = privateKeyAt(await seedOfWords(WORDS), "m/44'/1'/0'/0/0'")
const ME = {
  id: 7,
  now: 1_700_000_000_400,
  address: 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh',
  publicKey: 'Ax6LE0FlMU9qMFYEOJZpEXQ49IPjbsgCrk/2khQ6UM7k',
}
const GROUP = 'tp1qypqxpq9qcrsszgszyfpx9q4zct3sxfqqqqqqqqqqqqqqqqqqqqqqqqq'
// Published signature over deadbeef (protocol 17.3).
const SIGNATURE =
  '399a9dfadcfe8cfe47093ba91e0ce9d24a8ba434d923b4eab37b8886939ae5810365c89d52f48a293b1f2b085b2fe2acd7348b1b4ff60b711028d97bd6a094e0'

test('protocol 9.1: a hex message is requested without 0x, with description and address', () => {
  const { request } = signHexMessage('deadbeef', { ...ME, customId: 'sign-1' })
  expect(request).toMatchObject({ id: 7, jsonrpc: '2.0', method: 'provenance_sign' })
  expect(request.params[1]).toBe('deadbeef')
  expect(JSON.parse(String(request.params[0]))).toEqual({
    description: 'Sign Message',
    address: ME.address,
    date: ME.now,
    customId: 'sign-1',
  })
})

test('5 the signature is verified against the public key after signing', () => {
  const { outcomeOf } = signHexMessage('deadbeef', ME)
  expect(outcomeOf(SIGNATURE, verify)).toEqual({ valid: true, result: { signature: SIGNATURE } })
})

test.each([
  ['another message', `${SIGNATURE.slice(0, -2)}e1`],
  ['no signature', 'signed'],
  ['nothing', null],
  ['a list of signatures', [{ address: ME.address, signedData: SIGNATURE }]],
])(
  'protocol 16.7: a wrong signature (%s) is not valid and ends with the FAILED event',
  (_, answer) => {
    const outcome = signHexMessage('deadbeef', ME).outcomeOf(answer, verify)
    expect(outcome.valid).toBe(false)
    expect(endingEvent('signHexMessage', outcome)).toBe(WINDOW_MESSAGES.SIGN_HEX_MESSAGE_FAILED)
  },
)

test.each(['0xdeadbeef', '0123456789abcDEFg', '', 'abc'])(
  "5 message to sign must be a hex string, else 'Message parameter is not a hex value.': %j",
  (hex) => {
    expect(signHexMessage(hex, ME).refusal).toBe('Message parameter is not a hex value.')
  },
)

test("protocol 11: a token is valid for 1440 s, has the page's issuer and verifies when signed by the wallet", () => {
  const operation = signJwt({ issuer: 'lender.example', group: undefined }, ME)
  const bytes = new Uint8Array(Buffer.from(String(operation.request.params[1]), 'hex'))
  const outcome = operation.outcomeOf(hexOf(sign(KEY, bytes)), verify)
  const token = outcome.result?.signedJWT ?? ''
  expect(outcome).toMatchObject({ valid: true, result: { expires: 1_700_000_000 + 1440 } })
  expect(verifyJwt(token, { now: 1_700_000_001, issuer: 'lender.example' })).toMatchObject({
    ok: true,
    claims: { addr: ME.address, iat: 1_700_000_000, exp: 1_700_001_440 },
  })
  expect(readJwt(token)?.claims).not.toHaveProperty('grp')
})

test('protocol 11: signJWT adds grp while a group is represented', () => {
  const operation = signJwt({ issuer: 'lender.example', group: GROUP, expiresS: 60 }, ME)
  const bytes = new Uint8Array(Buffer.from(String(operation.request.params[1]), 'hex'))
  const token = operation.outcomeOf(hexOf(sign(KEY, bytes)), verify).result?.signedJWT ?? ''
  expect(readJwt(token)?.claims).toMatchObject({ grp: GROUP, addr: ME.address, exp: 1_700_000_060 })
})

test('protocol 16.7: a token with a wrong signature is never returned', () => {
  const outcome = signJwt({ issuer: 'lender.example', group: undefined }, ME).outcomeOf(
    SIGNATURE,
    verify,
  )
  expect(outcome.valid).toBe(false)
  expect(outcome).not.toHaveProperty('result')
  expect(endingEvent('signJWT', outcome)).toBe(WINDOW_MESSAGES.SIGN_JWT_FAILED)
})

test('protocol 9.3: every message becomes 0x and the hex of its base64 text', () => {
  const { request } = sendMessage({ message: ['AAAA', 'BBBB'], memo: 'memo', customId: 'tx-1' }, ME)
  expect(request.method).toBe('provenance_sendTransaction')
  expect(request.params.slice(1)).toEqual(['0x41414141', '0x42424242'])
  expect(JSON.parse(String(request.params[0]))).toEqual({
    description: 'Send Message',
    address: ME.address,
    date: ME.now,
    memo: 'memo',
    customId: 'tx-1',
  })
})

test('5 a transaction whose response carries a nonzero code is failed, with the raw log as the error', () => {
  const answer = { txResponse: { code: 5, rawLog: 'insufficient funds' } }
  const outcome = sendMessage({ message: 'AAAA' }, ME).outcomeOf(answer, verify)
  expect(outcome).toEqual({ valid: false, result: answer, error: 'insufficient funds' })
  expect(endingEvent('sendMessage', outcome)).toBe(WINDOW_MESSAGES.SEND_MESSAGE_FAILED)
  const fine = sendMessage({ message: 'AAAA' }, ME).outcomeOf({ txResponse: { code: 0 } }, verify)
  expect(fine).toEqual({ valid: true, result: { txResponse: { code: 0 } } })
})

test("protocol 9.4: a switch has the group's address, or none to go back to the individual", () => {
  const metadata = (group?: string) =>
    JSON.parse(String(switchToGroup(group, undefined, ME).request.params[0])) as unknown
  expect(metadata(GROUP)).toEqual({
    description: 'Send Wallet Action',
    action: 'switchToGroup',
    payload: { address: GROUP },
    date: ME.now,
  })
  expect(metadata()).not.toHaveProperty('payload')
})

test("protocol 9.4: only the truthiness of an action's response counts", () => {
  const { outcomeOf } = removePendingMethod('tx-1', ME)
  expect(outcomeOf('done', verify)).toEqual({ valid: true, result: 'done' })
  expect(outcomeOf(false, verify)).toMatchObject({ valid: false })
})
