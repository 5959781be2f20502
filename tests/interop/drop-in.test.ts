import './support/browser.ts'
import { describe, expect, test, vi } from 'vitest'
import type * as checkout from './page/checkout.tsx'
import { GROUP } from './support/account.ts'
import { aRelay } from './support/conversation.ts'
import { THEIRS } from './support/wallets.ts'

const WAITS = { timeout: 30_000, interval: 10 }

type Page = typeof checkout

const LIBRARIES: Readonly<Record<'published' | 'ours', () => Promise<Page>>> = {
  published: () => import('./page/checkout.tsx?library=published'),
  ours: () => import('./page/checkout.tsx?library=ours'),
}

describe('a page that was written for the public library', () => {
  const bridge = aRelay()

  test('4.1 behaves the same when only its import is replaced', {
    timeout: 300_000,
  }, async () => {
    const published = await visited(LIBRARIES.published, bridge())
    const ours = await visited(LIBRARIES.ours, bridge())
    expect(published.map(({ what }) => what)).toEqual([
      'FWC_CONNECTED',
      'FWC_DISCONNECT',
      'FWC_SESSION_UPDATED',
      'REMOVE_PENDING_METHOD_COMPLETE',
      'SEND_MESSAGE_COMPLETE',
      'SIGN_HEX_MESSAGE_COMPLETE',
      'SIGN_JWT_COMPLETE',
      'SWITCH_TO_GROUP_COMPLETE',
      'a new session',
      'listening',
    ])
    expect(ours).toEqual(published)
  })
})

/** Uses the page from connecting to leaving; returns all its events. */
async function visited(load: () => Promise<Page>, bridge: string) {
  localStorage.clear()
  const emitted: { what: string; data: unknown }[] = []
  const container = document.createElement('div')
  document.body.append(container)
  const text = (id: string) => container.querySelector(`#${id}`)?.textContent ?? ''
  const press = (id: string) => container.querySelector<HTMLButtonElement>(`#${id}`)?.click()
  const { showCheckout } = await load()
  const leave = showCheckout(container, {
    bridge,
    firm: GROUP.address,
    onEvent: (what, data) => emitted.push({ what, data: timeless(data) }),
  })
  const until = async (what: string, shown: readonly string[]) => {
    await vi.waitFor(() => expect(emitted.map((each) => each.what)).toContain(what), WAITS)
    await vi.waitFor(() => expect(['status', 'pending', 'group'].map(text)).toEqual(shown), WAITS)
  }
  // The published provider misses events that its service emits before its effects have run.
  await until('listening', ['disconnected', '', ''])
  press('connect')
  await vi.waitFor(() => expect(text('code')).toContain('wc:'), WAITS)
  await vi.waitFor(() => expect(document.querySelector('#wcjs-qr-modal')).not.toBeNull(), WAITS)
  const wallet = await THEIRS.join(text('code'))
  const connected = ['connected', '', '']
  await until('FWC_CONNECTED', connected)
  const presses = [
    ['sign', ['SIGN_HEX_MESSAGE_COMPLETE'], connected],
    ['token', ['SIGN_JWT_COMPLETE'], connected],
    ['pay', ['SEND_MESSAGE_COMPLETE'], connected],
    ['withdraw', ['REMOVE_PENDING_METHOD_COMPLETE'], connected],
    [
      'group-on',
      ['SWITCH_TO_GROUP_COMPLETE', 'FWC_SESSION_UPDATED'],
      ['connected', '', GROUP.address],
    ],
    ['leave', ['FWC_DISCONNECT'], ['disconnected', '', '']],
  ] as const
  for (const [button, events, shown] of presses) {
    press(button)
    for (const event of events) await until(event, shown)
  }
  await vi.waitFor(() => expect(wallet.isOver()).toBe(true), WAITS)
  leave()
  container.remove()
  // The response to a switch and the session update race, so events are sorted.
  return emitted.sort((one, other) => (one.what < other.what ? -1 : 1))
}

/** The events without varying parts: request ids, times, and values derived from them. */
function timeless(data: unknown): unknown {
  const text = JSON.stringify(data, (name, value: unknown) => {
    if (['id', 'date', 'connectionEST', 'connectionEXP', 'expires'].includes(name))
      return typeof value
    if (['signature', 'signedJWT'].includes(name)) return typeof value
    if (name === 'params' && Array.isArray(value)) {
      const [metadata, ...others] = value as string[]
      return [timeless(JSON.parse(metadata ?? '{}')), ...others.map(timelessToken)]
    }
    return value
  })
  return text === undefined ? undefined : JSON.parse(text)
}

/** A token's claims without times and issuer, which is the page in ours and fixed in theirs. */
function timelessToken(hex: string): unknown {
  const [, claims] = Buffer.from(hex, 'hex').toString().split('.')
  if (claims === undefined) return hex
  const { iat, exp, iss, ...others } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  return { ...others, iat: typeof iat, exp: typeof exp, iss: typeof iss }
}
