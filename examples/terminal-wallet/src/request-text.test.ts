import { NETWORKS } from '@portico/keys/networks'
import { accountFromPrivateKey } from '@portico/wallet-connect/wallet'
import { expect, test } from 'vitest'
import { connectText, signText, switchToGroupText } from './request-text.ts'

const account = accountFromPrivateKey(new Uint8Array(32).fill(1), NETWORKS.testnet, 'Ada')
const acting = { account, group: null }
const page = {
  peerId: 'p',
  peerMeta: { name: 'Page', description: '', url: 'https://a.example', icons: [] },
}
const signing = (bytes: Uint8Array) =>
  ({ kind: 'sign', description: 'Sign Message', address: '', bytes }) as const

test('a connection request shows the address of the page, the account and the duration', () => {
  const request = { ...page, chainId: null }
  const connectOptions = { connectionDurationS: 60 }
  const question = { page, request, connectOptions, accounts: [account], tokenLifetimeS: 60 }
  expect(connectText(question, acting)).toEqual([
    'Page at https://a.example wants to connect',
    `  account      ${account.address}`,
    '  acting as    yourself',
    '  for          60 seconds after the last request',
  ])
})

test('bytes are shown as text only if all of it is printable', () => {
  const shown = (bytes: Uint8Array) =>
    signText({ page, acting, request: signing(bytes), token: undefined }).slice(4)
  expect(shown(new TextEncoder().encode('hello'))).toEqual([
    '  text         hello',
    '  bytes        68656c6c6f',
  ])
  expect(shown(Uint8Array.of(0x1b, 0x5b))).toEqual(['  bytes        1b5b'])
})

test('a token is distinguished from a message and shown with all its claims', () => {
  const token = { iss: 'page.example', addr: 'tp1' }
  const words = signText({ page, acting, request: signing(Uint8Array.of(1)), token })
  expect(words[0]).toBe('Page at https://a.example wants a token that speaks for you')
  expect(words).toContain('  iss          page.example')
})

test('a page cannot move the cursor or overwrite earlier lines', () => {
  const request = {
    kind: 'walletAction',
    action: 'switchToGroup',
    groupAddress: 'tp1\u001B[2Jx',
    description: '',
    address: '',
  } as const
  const name = 'Bank\u001B[1A\u202E'
  const [first] = switchToGroupText({
    page: { ...page, peerMeta: { ...page.peerMeta, name } },
    acting,
    request,
    tokenLifetimeS: 60,
  })
  expect(first).toBe(
    'Bank\uFFFD[1A\uFFFD at https://a.example wants you to act as the group tp1\uFFFD[2Jx',
  )
})
