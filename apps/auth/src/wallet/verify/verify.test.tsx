import { fakeClient, refusal } from '@portico/client/testing'
import { after, walk } from '@portico/flow/testing'
import { UNEXPECTED } from '@portico/shell/failure'
import { memoryStorage, neverAborted } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { memoryJwt, renderStatic } from '../../testing.tsx'
import type { TargetWalletProps } from '../connect/target-wallet.tsx'
import { fakeConnection } from '../connection/testing.ts'
import { type Event, type Input, type Result, type State, verify } from './verify.flow.ts'
import { events, inputs } from './verify.samples.ts'
import { verifyServices } from './verify.services.ts'
import { VerifyView } from './verify.view.tsx'

const unconnected: Input = { wanted: { walletAddress: 'tp1me' }, connected: false }
const connected: Event = { type: 'connected', wallet: { address: 'tp1me' } }
const signed: Event = { type: 'signed', signedNonceHex: 'ab' }

test('4.2 CONNECT_NEW (once connected, move on)', () => {
  expect(after(verify, unconnected)).toEqual([
    { step: 'CONNECT_NEW', wanted: unconnected.wanted, walletKind: undefined },
  ])
  const nonce = [{ step: 'GET_NONCE', wanted: unconnected.wanted }, { type: 'signNonce' }]
  expect(after(verify, unconnected, [connected])).toEqual(nonce)
  expect(after(verify, { ...unconnected, connected: true })).toEqual(nonce)
})

test('4.2 GET_NONCE (fetch nonce, sign it, move on), ATTACH, SUCCESS', () => {
  expect(after(verify, unconnected, [connected, signed])).toEqual([
    { step: 'ATTACH', signedNonceHex: 'ab' },
    { type: 'attach', signedNonceHex: 'ab' },
  ])
  expect(after(verify, unconnected, [connected, signed, { type: 'attached' }])).toEqual([
    { step: 'SUCCESS' },
    { type: 'returnResult', result: { kind: 'verified' } },
  ])
})

test.each([[[connected]], [[connected, signed]]])(
  '4.2 ERROR: disconnect, and go to Verification_Error (%#)',
  (before) => {
    const refused: Event = { type: 'refused', failure: UNEXPECTED }
    expect(after(verify, unconnected, [...before, refused])).toEqual([
      { step: 'ERROR' },
      { type: 'disconnect' },
      { type: 'returnResult', result: { kind: 'failed', failure: UNEXPECTED } },
    ])
  },
)

test('4.2 a wallet other than the wanted one is disconnected, never verified, and reported to the modal', () => {
  const wallet = { address: 'tp1other' }
  expect(after(verify, unconnected, [{ type: 'connected', wallet }])).toEqual([
    { step: 'ERROR' },
    { type: 'disconnect' },
    { type: 'returnResult', result: { kind: 'mismatch', wallet } },
  ])
  const anyWallet: Input = { wanted: undefined, connected: false }
  expect(after(verify, anyWallet, [{ type: 'connected', wallet }])[0]).toMatchObject({
    step: 'GET_NONCE',
  })
})

test('4.2 opening the screen for a new wallet keeps the present connection; choosing how to connect ends it', () => {
  const anyWallet: Input = { wanted: undefined, connected: false }
  expect(after(verify, anyWallet).slice(1)).toEqual([])
  const chosen = { type: 'walletKindChosen', walletKind: 'hosted' } as const
  expect(after(verify, anyWallet, [chosen])).toEqual([
    { step: 'CONNECT_NEW', wanted: undefined, walletKind: undefined },
    { type: 'endConnection', walletKind: 'hosted' },
  ])
  const ended = { type: 'connectionEnded', walletKind: 'hosted' } as const
  expect(after(verify, anyWallet, [chosen, ended])[0]).toMatchObject({ walletKind: 'hosted' })
})

test('4.2 a stored connection whose wallet does not answer is replaced by a new one', () => {
  const waiting = after(verify, { ...unconnected, connected: true })
  expect(waiting[0].step).toBe('GET_NONCE')
  const reconnect = { type: 'reconnectRequested' } as const
  expect(after(verify, { ...unconnected, connected: true }, [reconnect])).toEqual([
    { step: 'CONNECT_NEW', wanted: unconnected.wanted, walletKind: undefined },
    { type: 'disconnect' },
  ])
})

test('8 a wallet of another identity is disconnected and reported to the modal', () => {
  expect(
    after(verify, unconnected, [connected, signed, { type: 'alreadyAttached' }]).slice(1),
  ).toEqual([{ type: 'disconnect' }, { type: 'returnResult', result: { kind: 'alreadyAttached' } }])
})

test('4.2 random walk: the result is returned once, and only a signed nonce is attached', () => {
  walk(
    verify,
    { inputs, events },
    {
      steps: 3000,
      invariant(state, commands, before) {
        const isReturned = commands.some(({ type }) => type === 'returnResult')
        const finalSteps = ['SUCCESS', 'ERROR']
        expect(isReturned).toBe(
          finalSteps.includes(state.step) && !finalSteps.includes(before.step),
        )
        if (commands.some(({ type }) => type === 'attach')) expect(before.step).toBe('GET_NONCE')
      },
    },
  )
})

function world(
  answers: Record<string, unknown>,
  otherwise: Parameters<typeof fakeConnection>[0] = {},
) {
  const { client, calls } = fakeClient(answers)
  const fake = fakeConnection({ connected: { address: 'tp1me' }, ...otherwise })
  const jwt = memoryJwt('Bearer stored')
  const storage = memoryStorage()
  const results: Result[] = []
  const queries: unknown[] = []
  let updates = 0
  const services = verifyServices({
    client: (call, input) => {
      queries.push(input.query)
      return client(call, input)
    },
    connection: fake.connection,
    jwt,
    storage,
    identityTokenUpdated: () => {
      updates += 1
    },
    onResult: (result) => results.push(result),
  })
  return { ...fake, services, calls, jwt, storage, results, queries, updates: () => updates }
}

test('7.4 nonce: authorized with the wallet’s token, and signed by the wallet', async () => {
  const { services, calls, signed: texts } = world({ readWalletNonce: { hexEncodedNonce: 'beef' } })
  expect(await services.signNonce({ type: 'signNonce' }, neverAborted)).toEqual(signed)
  expect(calls).toEqual([
    { name: 'readWalletNonce', headers: { authorization: 'Bearer wallet.jwt.sig' } },
  ])
  expect(texts).toEqual(['beef'])
})

test("4.2 a wallet that does not sign is an error with the wallet's message", async () => {
  const { services } = world(
    { readWalletNonce: { hexEncodedNonce: 'beef' } },
    { signError: 'Error: Sign request rejected by user' },
  )
  expect(await services.signNonce({ type: 'signNonce' }, neverAborted)).toEqual({
    type: 'refused',
    failure: { notices: ['Sign request rejected by user'] },
  })
})

test.each([
  ['My phone', { walletName: 'My phone' }],
  ['   ', {}],
  ['n'.repeat(61), {}],
  ['My\u202ephone', {}],
  [undefined, {}],
])('5 wallet name is sent on attach only when non-empty: %j', async (walletName, sent) => {
  const attached = `e30.${btoa('{"addr":"tp1me"}')}.`
  const { services, calls, queries, jwt, storage, updates } = world(
    { attachWallet: { jwt: attached } },
    walletName === undefined ? {} : { walletName },
  )
  const command = { type: 'attach', signedNonceHex: 'ab' } as const
  expect(await services.attach(command, neverAborted)).toEqual({ type: 'attached' })
  expect(queries).toEqual([{ signedNonceHex: 'ab', defaultWallet: 'true', ...sent }])
  expect(calls[0]?.headers).toEqual({
    authorization: 'Bearer wallet.jwt.sig',
    'x-figure-auth': 'Bearer stored',
  })
  // The session acts as that wallet from now on, and so does the tab.
  expect([jwt.read(), updates(), storage.read('ownerWallet')]).toEqual([attached, 1, 'tp1me'])
})

test.each([
  ['wallet-already-attached', { type: 'alreadyAttached' }],
  ['signed-nonce-refused', { type: 'refused' }],
  ['wallet-token-refused', { type: 'refused' }],
] as const)('8 403 and 409 during verification: %s', async (code, event) => {
  const { services, jwt } = world({ attachWallet: refusal(code) })
  const command = { type: 'attach', signedNonceHex: 'ab' } as const
  expect(await services.attach(command, neverAborted)).toMatchObject(event)
  expect(jwt.read()).toBe('Bearer stored')
})

test('2.7 a wallet that does not name the site of its signature leads to a warning while it signs', () => {
  const warning = 'Your wallet does not show which site its signature is for.'
  const signing: State = { step: 'GET_NONCE', wanted: undefined }
  expect(shown(signing, undefined, false)).toContain(warning)
  expect(shown(signing, undefined, true)).not.toContain(warning)
  const choosing: State = { step: 'CONNECT_NEW', wanted: undefined, walletKind: undefined }
  expect(shown(choosing, undefined, false)).not.toContain(warning)
})

function shown(state: State, target?: TargetWalletProps, namesSite = true) {
  const nothing = () => undefined
  return renderStatic(
    <VerifyView
      state={state}
      target={target}
      discovery={{ extensionInstalled: false, lastUsed: undefined, onPhone: false }}
      namesSite={namesSite}
      send={nothing}
      onBack={nothing}
    />,
  ).text
}

test('2.7 Verify: the notice, two steps, and a button for each wallet', () => {
  expect(shown({ step: 'CONNECT_NEW', wanted: undefined, walletKind: undefined })).toBe(
    'Wallet Verification Required Verify that this wallet is yours. You only need to do this once, in two steps. Connect your wallet with the mobile app or the extension. Sign the transaction in your wallet. Mobile Wallet Chrome Extension Wallet Use your Figure Account Back to the list of accounts',
  )
})

test('2.7 Verify shows the wanted wallet while connecting and while signing', () => {
  const targetWallet = { name: 'My phone', address: 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh' }
  for (const step of [
    { step: 'CONNECT_NEW', wanted: undefined, walletKind: undefined },
    { step: 'GET_NONCE', wanted: undefined },
  ] as const) {
    expect(shown(step, targetWallet)).toContain('My phone tp1kn...tklkh')
  }
})

test('2.7 while waiting for the signature the user can cancel', () => {
  expect(shown({ step: 'GET_NONCE', wanted: undefined })).toContain(
    'Waiting for your wallet to sign… Cancel',
  )
})
