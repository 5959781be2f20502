import { NETWORKS } from '@portico/keys/networks'
import { heldAccount } from '@portico/wallet-connect/wallet'
import { expect, test } from 'vitest'
import { connectInWords, signInWords, switchInWords } from './in-words.ts'

const account = heldAccount(new Uint8Array(32).fill(1), NETWORKS.testnet, 'Ada')
const acting = { account, group: null }
const page = {
  peerId: 'p',
  peerMeta: { name: 'Page', description: '', url: 'https://a.example', icons: [] },
}
const signing = (bytes: Uint8Array) =>
  ({ kind: 'sign', description: 'Sign Message', address: '', bytes }) as const

test('a page that wants to connect is shown with its address, the account and how long', () => {
  const asked = { ...page, chainId: null }
  const question = { page, asked, wishes: { connectionDurationS: 60 }, accounts: [account] }
  expect(connectInWords(question, acting)).toEqual([
    'Page at https://a.example wants to connect',
    `  account      ${account.address}`,
    '  acting as    yourself',
    '  for          60 seconds after the last request',
  ])
})

test('bytes are shown as text only where all of it can be read', () => {
  const shown = (bytes: Uint8Array) =>
    signInWords({ page, acting, asked: signing(bytes), token: undefined }).slice(4)
  expect(shown(new TextEncoder().encode('hello'))).toEqual([
    '  text         hello',
    '  bytes        68656c6c6f',
  ])
  expect(shown(Uint8Array.of(0x1b, 0x5b))).toEqual(['  bytes        1b5b'])
})

test('a token is told from a message, with whatever it claims', () => {
  const token = { iss: 'page.example', addr: 'tp1' }
  const words = signInWords({ page, acting, asked: signing(Uint8Array.of(1)), token })
  expect(words[0]).toBe('Page at https://a.example wants a token that speaks for you')
  expect(words).toContain('  iss          page.example')
})

test('a page cannot move the cursor or hide what stands above', () => {
  const asked = {
    kind: 'walletAction',
    action: 'switchToGroup',
    groupAddress: 'tp1\u001B[2Jx',
    description: '',
    address: '',
  } as const
  const name = 'Bank\u001B[1A\u202E'
  const [first] = switchInWords({
    page: { ...page, peerMeta: { ...page.peerMeta, name } },
    acting,
    asked,
  })
  expect(first).toBe(
    'Bank\uFFFD[1A\uFFFD at https://a.example wants you to act as the group tp1\uFFFD[2Jx',
  )
})
