/**
 * Random walks of pages, a user and a wallet process that is stopped at any write, message or call. The invariants are those a
 * user relies on: nothing is carried out twice or for another page, and no decision or shown request is lost.
 */
import type { ApprovalRequest } from '@portico/contracts/hosted-wallet'
import type { OperationResult, WalletConnectService } from '@portico/wallet-connect/session'
import type { FakeRelay } from '@portico/wallet-connect/testing'
import { expect } from 'vitest'
import { aDevice, TRANSACTION } from './device-requests.testing.ts'
import type { DeviceRequests } from './device-requests.ts'

type RelayWebSocket = InstanceType<FakeRelay['WebSocket']>

const STEPS = 40
const MAX_PAGES = 3

/** A process of the wallet that can be stopped at any step. */
interface WalletProcess {
  readonly source: DeviceRequests
  readonly isAlive: () => boolean
  readonly stop: () => void
  /** Stops it after this many writes, messages and calls. */
  readonly stopAfter: (steps: number) => void
  /** A step of the window of this process; never settles if it was stopped. */
  readonly step: <Value>(action: () => Promise<Value> | Value) => Promise<Value>
}

/** One request of a page. */
interface Operation {
  readonly page: WalletConnectService
  /** The signed bytes or the memo, unique in the walk. */
  readonly content: string
  readonly kind: 'sign' | 'send'
  readonly customId: string
  result: OperationResult | undefined
  isWithdrawn: boolean
}

type Device = ReturnType<typeof aDevice>

const never = () => new Promise<never>(() => undefined)

function startProcess(device: Device): WalletProcess {
  let isAlive = true
  let remaining = Number.POSITIVE_INFINITY
  const sockets = new Set<RelayWebSocket>()

  function stop(): void {
    isAlive = false
    for (const socket of sockets) socket.close()
  }

  /** Counts one effect; returns whether the process still runs. */
  function count(): boolean {
    if (isAlive && (remaining -= 1) <= 0) stop()
    return isAlive
  }

  async function step<Value>(action: () => Promise<Value> | Value): Promise<Value> {
    if (!count()) return never()
    const value = await action()
    return count() ? value : never()
  }

  class ProcessSocket implements RelayWebSocket {
    readonly #socket: RelayWebSocket

    constructor(url: string) {
      this.#socket = new device.relay.WebSocket(url)
      sockets.add(this.#socket)
      if (!isAlive) this.#socket.close()
    }

    addEventListener(...[type, listener]: Parameters<RelayWebSocket['addEventListener']>): void {
      this.#socket.addEventListener(type, (event) => {
        if (isAlive) listener(event)
      })
    }

    send(text: string): void {
      if (count()) this.#socket.send(text)
      count()
    }

    close(): void {
      if (isAlive) this.#socket.close()
    }
  }

  const { keeper, store, ports, time } = device
  const source = device.start({
    relay: {
      ...ports,
      WebSocket: ProcessSocket,
      after: (milliseconds, callback) => time.after(milliseconds, () => isAlive && callback()),
    },
    store: {
      read: (key) => step(() => store.read(key)),
      update: (key, change) => step(() => store.update(key, change)),
      subscribe: () => () => undefined,
    },
    keeper: {
      accounts: () => step(keeper.accounts),
      resultOf: (promptId) => step(() => keeper.resultOf(promptId)),
      vault: () => step(keeper.vault),
      subscribe: (listener) => keeper.subscribe(() => isAlive && listener()),
    },
    report(error) {
      if (isAlive) device.report(error)
    },
  })
  return {
    source,
    isAlive: () => isAlive,
    stop,
    stopAfter(steps) {
      remaining = steps
    },
    step,
  }
}

/** Runs one random walk. */
export async function walkDevice(seed: number): Promise<void> {
  const device = aDevice()
  try {
    await walk(device, seededRandom(seed))
    expect(device.reports).toEqual([])
  } catch (error) {
    throw new Error(`the walk with seed ${seed} violates an invariant: ${String(error)}`, {
      cause: error,
    })
  }
  await device.close()
}

async function walk(device: Device, random: () => number): Promise<void> {
  const { relay, time } = device
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = <Item>(items: readonly Item[]) => items[below(items.length)]
  const pages: WalletConnectService[] = []
  const operations: Operation[] = []
  /** The content of the requests that the user rejected. */
  const rejected = new Set<string>()
  /** The number of times the content of a request was carried out. */
  const carriedOut = new Map<string, number>()
  let wallet = startProcess(device)
  /** The prompts that an earlier process of the wallet carried out. */
  let carriedOutBefore: ReadonlySet<string> = new Set()
  let count = 0

  const settled = () => device.settled()
  /** Pages with a connection that the page or the user has ended. */
  const ended = new Set<WalletConnectService>()
  const opened: WalletConnectService[] = []
  const originOf = (page: WalletConnectService) => `https://page-${opened.indexOf(page)}.example`

  async function restart(): Promise<void> {
    wallet.stop()
    await settled()
    carriedOutBefore = new Set(device.carriedOut.keys())
    wallet = startProcess(device)
    await settled()
  }

  async function scan(page: WalletConnectService): Promise<void> {
    void wallet.source.connect(page.state.modal.QRCodeUrl, originOf(page))
    await settled()
  }

  async function connect(): Promise<void> {
    if (pages.length >= MAX_PAGES) return
    const page = device.aPage()
    pages.push(page)
    opened.push(page)
    await page.init()
    await scan(page)
  }

  function request(page: WalletConnectService): void {
    count += 1
    const kind = random() < 0.5 ? 'sign' : 'send'
    const customId = `custom ${count}`
    const content = kind === 'sign' ? count.toString(16).padStart(8, '0') : `memo ${count}`
    const operation: Operation = {
      page,
      content,
      kind,
      customId,
      result: undefined,
      isWithdrawn: false,
    }
    operations.push(operation)
    const result =
      kind === 'sign'
        ? page.signHexMessage(content, { customId })
        : page.sendMessage({ message: TRANSACTION, memo: content, customId })
    void result.then((ended) => {
      operation.result = ended
    })
  }

  function contentOf(approval: ApprovalRequest): string {
    if (approval.kind === 'sign') return approval.messageHex
    return approval.kind === 'send' ? (approval.memo ?? '') : 'connect'
  }

  /** The user's window: it commits, lets the key keeper carry out the request, and returns the result. */
  async function decide(isApproved: boolean): Promise<void> {
    const { source, step } = wallet
    const prompt = source.prompt()
    if (prompt === undefined || device.isLocked()) return
    const chosen = prompt.kind === 'connect' ? prompt.choices[0]?.request : prompt.request
    if (chosen === undefined) return
    const content = contentOf(chosen)
    if (!isApproved) {
      rejected.add(content)
      return source.answer(prompt.id, undefined)
    }
    if (!(await step(() => source.commit(prompt.id)))) return
    const result = await step(() => {
      const before = device.carriedOut.get(prompt.id) ?? 0
      const carried = device.carryOut(prompt.id, chosen)
      const isNew = (device.carriedOut.get(prompt.id) ?? 0) > before
      if (isNew) carriedOut.set(content, (carriedOut.get(content) ?? 0) + 1)
      return carried
    })
    source.answer(prompt.id, result)
  }

  const pending = () => operations.filter(({ result }) => result === undefined)
  const connectedPages = () => pages.filter(({ state }) => state.connected)

  async function takeStep(): Promise<void> {
    const choice = below(100)
    const page = pick(connectedPages())
    if (choice < 12) return connect()
    if (choice < 32) return page && request(page)
    if (choice < 36) {
      if (page !== undefined) for (let sent = 0; sent < 5; sent += 1) request(page)
      return
    }
    if (choice < 60) return void decide(true)
    if (choice < 66) return void decide(false)
    if (choice < 71) {
      const operation = pick(pending())
      if (operation === undefined) return
      operation.isWithdrawn = true
      return void operation.page.removePendingMethod(operation.customId)
    }
    if (choice < 73) {
      if (page === undefined) return
      pages.splice(pages.indexOf(page), 1)
      ended.add(page)
      return void page.disconnect()
    }
    if (choice < 75) {
      const site = pick(wallet.source.sites())
      const sitePage = opened.find((each) => originOf(each) === site?.origin)
      if (site === undefined || sitePage === undefined) return
      ended.add(sitePage)
      return void wallet.source.disconnect(site.id)
    }
    if (choice < 81) return restart()
    if (choice < 89) return wallet.stopAfter(1 + below(12))
    if (choice < 92) return relay.cut()
    if (choice < 95) {
      // The page or the relay sends the last request again.
      const frame = relay.frames.findLast(({ type, silent }) => type === 'pub' && !silent)
      return frame && relay.inject(frame.topic, JSON.stringify(frame))
    }
    if (choice < 97) return wallet.source.wake()
    return device.become(device.isLocked() ? 'unlocked' : 'locked')
  }

  function check(): void {
    const shown = wallet.source.prompt()?.id ?? ''
    expect(carriedOutBefore.has(shown), 'a prompt that was carried out is shown').toBe(false)
    for (const [content, times] of carriedOut) {
      if (content !== 'connect') expect(times, `${content} was carried out`).toBe(1)
    }
    for (const { page, content, kind, result, isWithdrawn } of operations) {
      if (result === undefined) continue
      const error = result.error ?? ''
      if (result.valid) {
        expect(carriedOut.get(content), `${content} was approved`).toBe(1)
        if (kind === 'send') {
          expect(result.result).toMatchObject({ txResponse: { txhash: `TX ${content}` } })
        }
      } else if (error.includes('rejected by user')) {
        expect(rejected.has(content), `the user rejected ${content}`).toBe(true)
        expect(carriedOut.has(content), `${content} was rejected after it was carried out`).toBe(
          false,
        )
      } else if (error.includes('withdrawn')) {
        expect(isWithdrawn, `the page withdrew ${content}`).toBe(true)
        expect(carriedOut.has(content), `${content} was withdrawn after it was carried out`).toBe(
          false,
        )
      } else {
        expect(error).toMatch(/^Error: Session currently disconnected|No wallet connected/)
        expect(ended.has(page), `the connection of ${content} was ended`).toBe(true)
      }
    }
  }

  /** Lets connections that were lost come back. */
  async function reconnected(): Promise<void> {
    for (let seconds = 0; seconds < 3; seconds += 1) {
      time.pass(1000)
      await settled()
    }
  }

  for (let taken = 0; taken < STEPS; taken += 1) {
    await takeStep()
    await settled()
    if (random() < 0.2) await reconnected()
    if (!wallet.isAlive()) await restart()
    check()
  }

  // In the end nothing is stopped any more, and the user approves everything.
  await restart()
  device.become('unlocked')
  await reconnected()
  for (const page of pages) if (!page.state.connected) await scan(page)
  for (let decided = 0; decided < 200; decided += 1) {
    await reconnected()
    if (wallet.source.prompt() === undefined) break
    await decide(true)
    await settled()
  }
  check()
  expect(wallet.source.waiting()).toBe(0)
  expect(
    pending().map(({ content }) => content),
    'requests without an answer',
  ).toEqual([])
  expect(wallet.source.sites()).toHaveLength(connectedPages().length)
}

/** A deterministic generator of numbers in [0, 1). */
function seededRandom(seed: number): () => number {
  let state = (seed + 1) * 48_271
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
