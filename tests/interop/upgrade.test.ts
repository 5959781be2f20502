import { describe, expect, test, vi } from 'vitest'
import { ACCOUNT, GROUP } from './support/account.ts'
import { aRelay, together } from './support/conversation.ts'
import { aPage, OUR_PAGE, publishedPageKind } from './support/pages.ts'
import { OURS, THEIRS } from './support/wallets.ts'

const WAITS = { timeout: 30_000, interval: 10 }
const THEIR_PAGE = publishedPageKind('3.10.3')

describe('a session outlives the page, even with another library after a reload', () => {
  const bridge = aRelay()

  test.each([
    { before: THEIR_PAGE, after: THEIR_PAGE, walletKind: THEIRS },
    { before: THEIR_PAGE, after: OUR_PAGE, walletKind: THEIRS },
    { before: OUR_PAGE, after: THEIR_PAGE, walletKind: THEIRS },
    { before: OUR_PAGE, after: OUR_PAGE, walletKind: THEIRS },
    { before: THEIR_PAGE, after: OUR_PAGE, walletKind: OURS },
    { before: OUR_PAGE, after: THEIR_PAGE, walletKind: OURS },
  ])('4.1 $before.name, then $after.name, with $walletKind.name', async (who) => {
    await using pair = await together(bridge(), who.before, who.walletKind)
    const { wallet } = pair
    const { address, publicKey, walletInfo, signedJWT, connectionEST } = pair.page.service.state

    await using page = aPage(who.after, 'as stored')
    const { service } = page
    await vi.waitFor(() => expect(service.state.status).toBe('connected'), WAITS)
    expect(address).toBe(ACCOUNT.address)
    expect(service.state).toMatchObject({
      connected: true,
      address,
      publicKey,
      walletInfo,
      signedJWT,
      connectionEST,
      peer: pair.page.service.state.peer,
    })
    expect((await service.signHexMessage('deadbeef')).valid).toBe(true)
    expect((await service.switchToGroup(GROUP.address)).valid).toBe(true)
    await vi.waitFor(() => expect(service.state.representedGroupPolicy).toMatchObject(GROUP), WAITS)

    await wallet.end()
    // The page before was never closed here. It may store the group's session again until it is notified of the end.
    for (const each of [pair.page, page]) {
      await vi.waitFor(() => expect(each.howOften('FWC_DISCONNECT')).toBe(1), WAITS)
    }
    expect(localStorage.getItem('walletconnect')).toBeNull()
  })
})
