import { after } from '@portico/flow/testing'
import { expect, test } from 'vitest'
import { attemptPlan } from './init-options.ts'
import { WALLET_APP_IDS } from './launch/wallet-addresses.ts'
import { sessionFlow } from './session.flow.ts'

const defaults = {
  bridge: 'wss://relay.example',
  connectionTimeoutMs: 86_400_000,
  iframeParentId: '',
  modal: { dynamicUrl: '', isMobile: false, QRCodeImg: '', QRCodeUrl: '', showModal: false },
  walletAppId: undefined,
}

test('4.1 an attempt replaced by another tab ends with a message and does not reopen its frame', () => {
  const walletAppId = WALLET_APP_IDS.FIGURE_HOSTED
  const pending = [
    { type: 'initRequested', attempt: 1, plan: attemptPlan({ walletAppId }, 86_400_000) },
    { type: 'walletChosen', walletAppId },
  ] as const
  const input = { defaults, stored: undefined, now: 0 }
  const [state, ...commands] = after(sessionFlow(defaults), input, [
    ...pending,
    { type: 'frameReplaced' },
  ])
  expect(state.step).toBe('disconnected')
  expect(commands).toContainEqual({
    type: 'emit',
    event: 'FWC_DISCONNECT',
    data: {
      result: { message: 'Your wallet was opened in another tab. Try again to continue here.' },
    },
  })
  expect(commands.map(({ type }) => type)).not.toContain('notifyWallet')
  const own = after(sessionFlow(defaults), input, [
    ...pending,
    { type: 'disconnectRequested', message: undefined },
  ])
  expect(own.slice(1)).toContainEqual(expect.objectContaining({ type: 'notifyWallet' }))
})
