/** An organization with members who decide in wallets on their devices, on the real server, relay and chain (2.8). */
import { openChain } from '@portico/chain-client/chain'
import { requestTestFunds } from '@portico/chain-client/faucet'
import { thresholdPolicy, type VoteChoice, voteMessage } from '@portico/chain-client/group-messages'
import { httpChainNode } from '@portico/chain-client/http-chain-node'
import { packMessage, sendMessage } from '@portico/chain-client/messages'
import { listOpenProposals } from '@portico/chain-client/open-proposals'
import { responseOfProposal } from '@portico/chain-client/proposals'
import type { ApprovalRequest } from '@portico/contracts/hosted-wallet'
import { newWords } from '@portico/keys/mnemonic'
import { NETWORKS } from '@portico/keys/networks'
import { openDeviceKeyKeeper } from '@portico/self-custody/device-key-keeper'
import { memoryKeyStore } from '@portico/self-custody/unlocked-key'
import { WalletConnectService } from '@portico/wallet-connect/session'
import { type DeviceRequests, deviceRequestSource } from '@portico/wallet-kit/device-requests'
import { memoryStore } from '@portico/wallet-kit/memory-store'
import { MsgCreateGroupWithPolicy } from 'cosmjs-types/cosmos/group/v1/tx'
import { expect, onTestFinished, test, vi } from 'vitest'
import { RELAY } from '../support/relay-client.ts'
import { aWorld } from '../support/world.ts'

const network = NETWORKS.testnet
const WAITS = { timeout: 60_000, interval: 50 }
const TWO_DAYS_MS = 172_800_000

type World = Awaited<ReturnType<typeof aWorld>>

/** A device with a wallet in a process that can be stopped. */
async function aDevice(world: World, name: string) {
  const chain = openChain(httpChainNode(`${world.url}/chain`))
  const store = memoryStore()
  const openKeeper = () =>
    openDeviceKeyKeeper({
      store,
      unlockedKeyStore: memoryKeyStore(),
      chain,
      network,
      issuer: 'wallet.example',
      clock: world.clock.now,
    })
  const passphrase = 'larch window seven river'
  const keeper = openKeeper()
  await keeper.createVault({ words: newWords(12), passphrase, accountName: name })
  const [account] = await keeper.accounts()
  const address = account?.address ?? ''
  let count = 0

  /** Approves a request that the user makes in the wallet itself. */
  async function carryOut(request: ApprovalRequest) {
    count += 1
    const { approvalId } = await keeper.requestApproval(request, {
      promptId: `wallet:${count}`,
      origin: 'This wallet',
    })
    return keeper.approve(approvalId)
  }

  return {
    keeper,
    chain,
    address,
    carryOut,
    vote: (proposalId: string, choice: VoteChoice = 'yes') =>
      carryOut({
        kind: 'send',
        address,
        messages: [voteMessage({ proposalId, voter: address, choice })],
      }),
    /** Starts the process that serves pages; `isLocked` as after a restart of the browser. */
    serve({ isLocked = false } = {}): DeviceRequests {
      const source = deviceRequestSource({
        keeper: isLocked ? openKeeper() : keeper,
        store,
        proposalOutcome: (proposed) => responseOfProposal(chain, proposed, world.clock.now),
        introduction: { name, description: '', url: '', icons: [] },
        chainId: network.chainId,
        now: world.clock.now,
        report: (error) => {
          throw error
        },
      })
      onTestFinished(() => source.stop())
      return source
    },
  }
}

type Device = Awaited<ReturnType<typeof aDevice>>

/** Three wallets with the accounts of a group's members. Two must agree. */
async function anOrganization(world: World) {
  const [ana, ben, cleo] = await Promise.all([
    aDevice(world, 'Ana'),
    aDevice(world, 'Ben'),
    aDevice(world, 'Cleo'),
  ])
  await ana.carryOut({
    kind: 'send',
    address: ana.address,
    messages: [
      packMessage(MsgCreateGroupWithPolicy, {
        admin: ana.address,
        members: [ana, ben, cleo].map(({ address }) => ({ address, weight: '1', metadata: '' })),
        groupMetadata: '{"name":"Alder Holdings"}',
        groupPolicyMetadata: '',
        groupPolicyAsAdmin: true,
        decisionPolicy: thresholdPolicy(2),
      }),
    ],
  })
  const [group] = await ana.chain.groupsOfMember(ana.address)
  await ana.keeper.accounts()
  return { ana, ben, cleo, group: group?.admin ?? '' }
}

/** A page that acts for the group, connected to a wallet. */
async function aPage(world: World, source: DeviceRequests, { keeper }: Device, group: string) {
  const values = new Map<string, string>()
  const page = new WalletConnectService({
    autostart: false,
    ports: {
      now: world.clock.now,
      storage: {
        read: (key) => values.get(key),
        write: (key, text) => void values.set(key, text),
        remove: (key) => void values.delete(key),
      },
    },
  })
  onTestFinished(() => page.stop())
  await page.init({
    bridge: new URL(RELAY, world.url).href.replace('http', 'ws'),
    groupAddress: group,
    duration: (2 * TWO_DAYS_MS) / 1000,
  })
  const connecting = source.connect(page.state.modal.QRCodeUrl, 'https://page.example')
  await approveNext(source, keeper)
  expect(await connecting).toBeUndefined()
  await vi.waitFor(() => expect(page.state.connected).toBe(true), WAITS)
  return page
}

/** What the window of the wallet does when the user approves the current request. */
async function approveNext(source: DeviceRequests, keeper: Device['keeper']) {
  const prompt = await vi.waitFor(() => source.prompt() ?? expect.fail('no prompt'), WAITS)
  const request = prompt.kind === 'act' ? prompt.request : prompt.choices[0]?.request
  if (request === undefined) return expect.fail('no choice')
  const requestedBy = { promptId: prompt.id, origin: prompt.origin }
  const { approvalId } = await keeper.requestApproval(request, requestedBy)
  expect(await source.commit(prompt.id)).toBe(true)
  const result = await keeper.approve(approvalId)
  source.answer(prompt.id, result)
  return result
}

/** The page sends a payment of the group, and its wallet has approved it. */
async function aWaitingPayment(world: World) {
  const organization = await anOrganization(world)
  const { ana, cleo, group } = organization
  const source = ana.serve()
  const page = await aPage(world, source, ana, group)
  const payment = sendMessage({ from: group, to: cleo.address, amount: '70', denom: 'nhash' })
  const sending = page.sendMessage({ message: payment })
  let isAnswered = false
  void sending.then(() => {
    isAnswered = true
  })
  const result = await approveNext(source, ana.keeper)
  if (result.kind !== 'proposed') return expect.fail(`The result is ${result.kind}`)
  return { ...organization, source, sending, ...result, isAnswered: () => isAnswered }
}

test('2.8 a page proposes, a second wallet votes after the first was restarted, and the page receives the transaction', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const { ana, ben, cleo, source, sending, proposalId, isAnswered } = await aWaitingPayment(world)
  const [waiting] = await listOpenProposals(ben.chain, ben.address, world.clock.now())
  expect(waiting).toMatchObject({ id: proposalId, proposers: [ana.address], status: 'open' })
  await source.stop()
  const before = await ben.chain.balances(cleo.address)
  expect(await ben.vote(proposalId)).toMatchObject({ kind: 'send', txResponse: { code: 0 } })
  const after = await ben.chain.balances(cleo.address)
  expect(Number(after[0]?.amount) - Number(before[0]?.amount)).toBe(70)
  expect(isAnswered()).toBe(false)
  ana.serve({ isLocked: true })
  const executed = (await ben.keeper.history())[0]?.txhash
  expect(await sending).toMatchObject({
    valid: true,
    result: { txResponse: { txhash: executed, code: 0 } },
  })
})

test('2.8 a page receives a nonzero code when the group does not agree in time', async () => {
  await using world = await aWorld()
  const { ben, source, sending, proposalId, isAnswered } = await aWaitingPayment(world)
  await ben.vote(proposalId, 'no')
  source.wake()
  expect(isAnswered()).toBe(false)
  world.clock.pass(TWO_DAYS_MS + 1)
  source.wake()
  expect(await sending).toMatchObject({
    result: { txResponse: { code: 3, rawLog: expect.stringContaining('expired') } },
  })
})

test('2.8 a page receives a nonzero code when the members reject its transaction', async () => {
  await using world = await aWorld()
  const { ben, cleo, source, sending, proposalId } = await aWaitingPayment(world)
  await ben.vote(proposalId, 'no')
  await cleo.vote(proposalId, 'no')
  source.wake()
  expect(await sending).toMatchObject({
    result: { txResponse: { code: 2, rawLog: expect.stringContaining('rejected') } },
  })
})

test('2.8 two members vote at the same time: the transaction is executed once', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const { ben, cleo, group, source, sending, proposalId } = await aWaitingPayment(world)
  const balance = async () => Number((await ben.chain.balances(group))[0]?.amount)
  const before = await balance()
  // The later vote may be refused, because the node deletes the executed proposal.
  const votes = await Promise.allSettled([ben.vote(proposalId), cleo.vote(proposalId)])
  expect(votes.some(({ status }) => status === 'fulfilled')).toBe(true)
  source.wake()
  expect(await sending).toMatchObject({ valid: true, result: { txResponse: { code: 0 } } })
  expect(before - (await balance())).toBe(70)
  expect(await listOpenProposals(ben.chain, ben.address, world.clock.now())).toEqual([])
})

test('2.8 in a demonstration an account gets test funds, once an hour', async () => {
  await using world = await aWorld()
  const { chain, address } = await aDevice(world, 'Ana')
  const node = httpChainNode(`${world.url}/chain`)
  const before = Number((await chain.balances(address))[0]?.amount)
  await requestTestFunds(node, address)
  expect(Number((await chain.balances(address))[0]?.amount)).toBeGreaterThan(before)
  await expect(requestTestFunds(node, address)).rejects.toMatchObject({ code: 'faucet-limit' })
})
