/** Pages with the published library and client, and a wallet on the user's device, on the real server, relay and chain. */
import { openChain } from '@portico/chain-client/chain'
import { httpChainNode } from '@portico/chain-client/http-chain-node'
import { sendMessage } from '@portico/chain-client/messages'
import { responseOfProposal } from '@portico/chain-client/proposals'
import { NETWORKS } from '@portico/keys/networks'
import { openDeviceKeyKeeper } from '@portico/self-custody/device-key-keeper'
import { memoryKeyStore } from '@portico/self-custody/unlocked-key'
import { type DeviceRequests, deviceRequestSource } from '@portico/wallet-kit/device-requests'
import { memoryStore } from '@portico/wallet-kit/memory-store'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { RELAY } from '../support/relay-client.ts'
import { aWorld } from '../support/world.ts'
import { ACCOUNT } from './support/account.ts'
import { aPage, publishedPageKind } from './support/pages.ts'
import { publishedClient } from './support/published.ts'

const WAITS = { timeout: 30_000, interval: 10 }
const RECIPIENT = 'tp13dkh6lhe5zzfe4qwkl4fqyfmh58p35w5qaxwxy'
/** The words of the account, from protocol 17.2. */
const WORDS =
  'bleak alpha bunker give message direct powder general issue awesome animal ice entry parade invest sausage tragic away nuclear gaze learn during crew benefit'

let world: Awaited<ReturnType<typeof aWorld>>
let bridge: string

beforeAll(async () => {
  world = await aWorld()
  bridge = new URL(RELAY, world.url.replace(/^http/, 'ws')).href
})
afterAll(() => world[Symbol.asyncDispose]())

/** A device with the account. Its user approves everything while `serve` runs. */
async function aDevice() {
  const chain = openChain(httpChainNode(`${world.url}/chain`))
  const store = memoryStore()
  const keeper = openDeviceKeyKeeper({
    store,
    unlockedKeyStore: memoryKeyStore(),
    chain,
    network: NETWORKS.testnet,
    issuer: 'wallet.example',
  })
  await keeper.createVault({
    words: WORDS,
    passphrase: 'larch window seven river',
    accountName: 'Everyday',
  })

  async function approve(source: DeviceRequests): Promise<void> {
    const prompt = source.prompt()
    if (prompt === undefined) return
    const request = prompt.kind === 'act' ? prompt.request : prompt.choices[0]?.request
    if (request === undefined || !(await source.commit(prompt.id))) return
    const requestedBy = { promptId: prompt.id, origin: prompt.origin }
    const { approvalId } = await keeper.requestApproval(request, requestedBy)
    source.answer(prompt.id, await keeper.approve(approvalId))
  }

  return {
    serve({ approves = true } = {}): DeviceRequests {
      const source = deviceRequestSource({
        keeper,
        store,
        proposalOutcome: (proposed) => responseOfProposal(chain, proposed, Date.now),
        introduction: {
          name: 'A wallet',
          description: '',
          url: 'https://wallet.example',
          icons: [],
        },
        chainId: NETWORKS.testnet.chainId,
        now: Date.now,
        report: (error) => {
          throw error
        },
      })
      let deciding: string | undefined
      source.subscribe(() => {
        const id = source.prompt()?.id
        if (!approves || id === undefined || id === deciding) return
        deciding = id
        void approve(source)
      })
      onTestFinished(() => source.stop())
      return source
    },
  }
}

describe.each(['3.10.3', '3.10.2'] as const)('a page with the published library %s', (version) => {
  test('2.7 connects to a wallet on the device, which signs and sends for it', async () => {
    const device = await aDevice()
    const source = device.serve()
    await using page = aPage(publishedPageKind(version))
    const { service } = page
    await service.init({ bridge })
    expect(await source.connect(service.state.modal.QRCodeUrl, undefined)).toBeUndefined()
    await vi.waitFor(() => expect(service.state.connected).toBe(true), WAITS)
    expect(service.state).toMatchObject({
      address: ACCOUNT.address,
      publicKey: ACCOUNT.publicKey,
      walletInfo: { name: 'Everyday' },
    })
    expect(await service.signHexMessage('deadbeef')).toMatchObject({ valid: true })
    expect(await service.signJWT(600)).toMatchObject({ valid: true })
    const message = sendMessage({
      from: ACCOUNT.address,
      to: RECIPIENT,
      amount: '2500000000',
      denom: 'nhash',
    })
    expect(await service.sendMessage({ message, memo: 'Rent' })).toMatchObject({
      valid: true,
      result: { txResponse: { code: 0 } },
    })
    await service.disconnect()
    await vi.waitFor(() => expect(source.sites()).toEqual([]), WAITS)
  })

  test('2.7 receives the result of a request although the wallet is stopped before it is decided', async () => {
    const device = await aDevice()
    const source = device.serve()
    await using page = aPage(publishedPageKind(version))
    const { service } = page
    await service.init({ bridge })
    await source.connect(service.state.modal.QRCodeUrl, undefined)
    await vi.waitFor(() => expect(service.state.connected).toBe(true), WAITS)
    await source.stop()

    const undecided = device.serve({ approves: false })
    const signed = service.signHexMessage('deadbeef')
    await vi.waitFor(() => expect(undecided.prompt()).toBeDefined(), WAITS)
    await undecided.stop()
    device.serve()
    expect(await signed).toMatchObject({ valid: true })
  })
})

test('2.7 a page with only the published client connects to a wallet on the device, which signs for it', async () => {
  const device = await aDevice()
  const source = device.serve()
  const page = publishedClient({ bridge })
  onTestFinished(() => page.transportClose())
  await page.createSession()
  expect(await source.connect(page.uri, undefined)).toBeUndefined()
  await vi.waitFor(() => expect(page.connected).toBe(true), WAITS)
  expect(page.accounts).toMatchObject([{ address: ACCOUNT.address }])
  const metadata = JSON.stringify({ description: '', address: ACCOUNT.address, date: Date.now() })
  const request = { method: 'provenance_sign', params: [metadata, 'deadbeef'] }
  // Protocol 17.3: the account's signature over these bytes, made by a public package.
  expect(await page.sendCustomRequest(request)).toMatch(/^399a9dfadcfe8cfe/)
})
