import { describe, expect, test, vi } from 'vitest'
import { ACCOUNT, CHAIN } from './support/account.ts'
import { aRelay, conversations } from './support/conversation.ts'
import { publishedPageKind } from './support/pages.ts'
import { publishedClient } from './support/published.ts'
import { type Decisions, OURS } from './support/wallets.ts'

const WAITS = { timeout: 30_000, interval: 10 }

conversations(publishedPageKind('3.10.3'), OURS)
conversations(publishedPageKind('3.10.2'), OURS)

describe('a page with only the published client, and our wallet', () => {
  const bridge = aRelay()

  /** This page has no requirements, and reports only an error's message. */
  async function connected(decisions?: Decisions) {
    const page = publishedClient({ bridge: bridge() })
    const ended: string[] = []
    page.on('disconnect', (_, { params }) => {
      const [{ message }] = params as [{ message: string }]
      ended.push(message)
    })
    await page.createSession()
    const wallet = await OURS.join(page.uri, decisions)
    await vi.waitFor(() => expect(page.connected || ended.length > 0).toBe(true), WAITS)
    return {
      page,
      wallet,
      ended,
      async [Symbol.asyncDispose]() {
        page.transportClose()
        await wallet.leave()
      },
    }
  }

  test('2.7 the page gets the wallet’s account, chain and name', async () => {
    await using both = await connected()
    const { page } = both
    expect(page.chainId).toBe(CHAIN)
    expect(page.accounts).toMatchObject([
      { address: ACCOUNT.address, publicKey: ACCOUNT.publicKey, representedGroupPolicy: null },
    ])
    expect(page.peerMeta).toMatchObject({ name: 'A wallet', url: 'https://wallet.example' })
  })

  test('2.7 a parameter may begin with 0x, and the signature has no prefix', async () => {
    await using both = await connected()
    const metadata = JSON.stringify({ description: '', address: ACCOUNT.address, date: Date.now() })
    const sign = (hex: string) =>
      both.page.sendCustomRequest({ method: 'provenance_sign', params: [metadata, hex] })
    expect(await sign('0xdeadbeef')).toBe(await sign('deadbeef'))
    expect(await sign('deadbeef')).toMatch(/^[0-9a-f]{128}$/)
  })

  test.each([
    { method: 'eth_sign', params: ['0x00', '0x00'], message: 'Method not found' },
    { method: 'wallet_action', params: ['{"action":"dance"}'], message: 'Method not found' },
    { method: 'provenance_sign', params: ['{', 'deadbeef'], message: 'Parse error' },
    { method: 'provenance_sign', params: ['{}', 'no hex'], message: 'Invalid params' },
  ])('2.7 $method with $params is refused: $message', async ({ method, params, message }) => {
    await using both = await connected()
    await expect(both.page.sendCustomRequest({ method, params })).rejects.toThrow(message)
    expect(both.page.connected).toBe(true)
  })

  test('2.7 a refused connection and the end of a session from either side are reported', async () => {
    await using refused = await connected({ connect: 'refuse' })
    expect(refused.ended).toEqual(['Connection rejected by user'])

    await using left = await connected()
    await left.page.killSession({ message: 'Done here' })
    await vi.waitFor(() => expect(left.wallet.isOver()).toBe(true), WAITS)

    await using ended = await connected()
    await ended.wallet.end()
    await vi.waitFor(() => expect(ended.ended).toEqual(['Session disconnected']), WAITS)
  })
})
