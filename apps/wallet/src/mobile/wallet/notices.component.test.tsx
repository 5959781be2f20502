import { signing } from '@portico/wallet-kit/testing'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render, renderHook } from 'vitest-browser-react'
import { type MobileEnvironment, MobileEnvironmentContext } from '../environment.ts'
import { fakeMobileEnvironment, fakeOpenWallet } from '../testing.ts'
import { Notices } from './notices.tsx'
import { type Connecting, useConnecting } from './use-connecting.ts'

const subscribe = () => () => undefined
const VAULT = { passphrase: 'larch window seven river', words: '' }

interface Situation {
  readonly hasRequest?: boolean
  readonly isLocked?: boolean
  readonly connecting?: Connecting
  readonly hasConnections?: boolean
  readonly changes?: Partial<MobileEnvironment>
}

async function renderNotices({
  hasRequest = false,
  isLocked = false,
  connecting = { step: 'none' },
  hasConnections = false,
  changes = {},
}: Situation) {
  const wallet = fakeOpenWallet({ vault: VAULT, isLocked, prompts: hasRequest ? [signing] : [] })
  const turnedOn: string[] = []
  const notifications = {
    state: 'off' as const,
    hasConnections,
    turnOn: async () => void turnedOn.push('on'),
    turnOff: async () => undefined,
  }
  const { container, unmount } = await render(
    <MobileEnvironmentContext value={fakeMobileEnvironment(changes)}>
      <Notices
        wallet={wallet}
        connecting={connecting}
        onDismiss={() => undefined}
        notifications={notifications}
      />
    </MobileEnvironmentContext>,
  )
  const titles = () => [...container.querySelectorAll('h2')].map(({ textContent }) => textContent)
  return { titles, turnedOn, unmount }
}

const button = (name: string) => page.getByRole('button', { name })

test('9 one notice at a time is shown, the most urgent first, and none beside a request', async () => {
  const offered = { isOffered: () => true, subscribe, prompt: async () => undefined }
  const keepable = { isSupported: true, persist: async () => true }
  const ready = { isReady: () => true, subscribe, install: () => undefined }
  const offline = { isOnline: () => false, subscribe }
  // Each situation has all causes of those before it.
  const situations: readonly (readonly [Situation, string | undefined])[] = [
    [{}, undefined],
    [{ changes: { install: offered } }, 'Install Figure Mobile Wallet'],
    [{ hasConnections: true }, 'Get notified of requests'],
    [{ changes: { storage: keepable } }, 'Keep your wallet on this phone'],
    [{ changes: { updates: ready } }, 'A new version is ready'],
    [{ connecting: { step: 'joining' } }, 'Connecting to the page'],
    [{ changes: { online: offline } }, 'You are offline'],
    [{ connecting: { step: 'failed', failure: 'unanswered' } }, 'Not connected'],
    [{ hasRequest: true }, undefined],
  ]
  let all: Situation = {}
  for (const [added, title] of situations) {
    all = { ...all, ...added, changes: { ...all.changes, ...added.changes } }
    const { titles, unmount } = await renderNotices(all)
    await expect.poll(titles).toEqual(title === undefined ? [] : [title])
    await unmount()
  }
})

test('9 without a network, the notice says what works and what waits', async () => {
  await renderNotices({ changes: { online: { isOnline: () => false, subscribe } } })
  const text =
    'Your wallet opens without a network. Connecting, signing for a page and sending wait until you are online.'
  await expect.element(page.getByText(text)).toBeVisible()
})

test('9 a locked wallet offers an update, but asks for nothing', async () => {
  const storage = { isSupported: true, persist: async () => true }
  const updates = { isReady: () => true, subscribe, install: () => undefined }
  const locked = { isLocked: true, hasConnections: true }
  const updating = await renderNotices({ ...locked, changes: { storage, updates } })
  await expect.poll(updating.titles).toEqual(['A new version is ready'])
  await updating.unmount()
  const { titles } = await renderNotices({ ...locked, changes: { storage } })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(titles()).toEqual([])
})

test('9 the browser is asked to keep the wallet, and the user is warned if it does not', async () => {
  const asked: string[] = []
  const { titles } = await renderNotices({
    changes: {
      storage: { isSupported: true, persist: async () => false },
      asked: { has: (question) => asked.includes(question), add: (each) => asked.push(each) },
    },
  })
  await button('Keep it').click()
  await expect.poll(titles).toEqual(['Your browser may delete this wallet'])
  expect(asked).toEqual([])
  await button('OK').click()
  await expect.poll(titles).toEqual([])
  expect(asked).toEqual(['storage'])
})

test('9 after the first connection the user may turn on notifications; each question is asked once', async () => {
  const asked: string[] = []
  const { titles, turnedOn } = await renderNotices({
    hasConnections: true,
    changes: {
      storage: { isSupported: true, persist: async () => true },
      asked: { has: (question) => asked.includes(question), add: (each) => asked.push(each) },
    },
  })
  await button('Not now').click()
  await expect.poll(titles).toEqual(['Get notified of requests'])
  await button('Turn on').click()
  await expect.poll(titles).toEqual([])
  expect([turnedOn, asked]).toEqual([['on'], ['storage', 'notifications']])
})

test('9 an earlier attempt to connect does not hide the outcome of a later one', async () => {
  const attempts = new Map<string, (failure: 'rejected' | 'unanswered') => void>()
  const wallet = fakeOpenWallet(
    { vault: VAULT },
    { connect: (code) => new Promise((resolve) => void attempts.set(code, resolve)) },
  )
  const { result, act } = await renderHook(() => useConnecting(wallet), {
    wrapper: ({ children }) => (
      <MobileEnvironmentContext value={fakeMobileEnvironment()}>
        {children}
      </MobileEnvironmentContext>
    ),
  })
  await act(() => result.current.connect('first'))
  await act(() => result.current.connect('second'))
  await act(async () => attempts.get('second')?.('unanswered'))
  await act(async () => attempts.get('first')?.('rejected'))
  expect(result.current.connecting).toEqual({ step: 'failed', failure: 'unanswered' })
})
