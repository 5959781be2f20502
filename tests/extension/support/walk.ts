/**
 * Random walks of two pages, a user and the wallet in a real browser. The worker is stopped, the browser restarts and the extension
 * updates while requests wait. What happened is read from the relay's frames, the chain and the pages, not from the wallet.
 */
import { bytesOfBase64, bytesOfHex } from '@portico/keys/bytes'
import { verify } from '@portico/keys/signature'
import { anyBase64, parseRpc } from '@portico/wallet-connect/protocol'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { expect } from 'vitest'
import { type BrowserPage, until } from '../../support/browser-page.ts'
import type { Browser } from './browsers.ts'
import { builtExtension } from './built-extension.ts'
import { createWallet } from './create-wallet.ts'
import { type ExtensionBrowser, sendAsWindow } from './extension-browser.ts'
import { type Glance, glance } from './hurried-user.ts'
import { call, type PageServer, servePages } from './page-server.ts'
import { type RecordingRelay, recordingRelay } from './recording-relay.ts'
import { type PageSession, pageSession, type RelayRecord, relayRecord } from './relay-record.ts'

/** The steps with their weights; the slow ones are rarer. */
const STEPS = {
  ask: 26,
  'both pages ask at once': 7,
  answer: 22,
  'stop the worker': 12,
  'stop the worker soon': 12,
  'reload a page': 4,
  'close a page': 3,
  'page withdraws a request': 4,
  'page restarts its connection': 1,
  'page disconnects': 1,
  'user closes the window': 2,
  'user locks the wallet': 2,
  'relay is cut': 3,
  'ask 100 times in a second': 1,
  'restart the browser': 1,
  'update the extension': 1,
} as const

export type StepName = keyof typeof STEPS

export const STEP_NAMES = Object.keys(STEPS) as StepName[]

/** How often each step was taken. */
export type StepCounts = Record<StepName, number>

const MIN_STEPS = 4
const MAX_STEPS = 10

/** Longer than any of this is a request that hangs. */
const LIMIT_MS = 30_000
/** A user who presses buttons for longer than this gets nowhere. */
const SETTLE_LIMIT_MS = 10 * LIMIT_MS
const POLL_MS = 15
const ANSWER_LIMIT_MS = 2000
const POPUP_AFTER_MS = 1500
/** How long a page may take to notice that the relay was cut. What it sends in the meantime may be lost. */
const CUT_UNNOTICED_MS = 2000
const FLOOD = 100
/** How many of them the user answers at the end. */
const FLOOD_ANSWERS = 4

interface Site {
  readonly origin: string
  page: BrowserPage | undefined
  session: PageSession
}

/** A request of a page. */
interface Operation {
  readonly site: Site
  readonly session: PageSession
  readonly kind: 'sign' | 'send'
  /** What is signed or the memo of what is sent; unique. */
  readonly content: string
  readonly customId: string
  readonly decision: 'approve' | 'reject'
  /** Whether the page that asked still waits. After a reload, the result returns to the next page of the site. */
  hasPage: boolean
  /** Whether it may end without the user's decision: the page has withdrawn it, left, or asked too often. */
  mayEnd: boolean
  /** Whether it was asked while the page may not have noticed that the relay was cut. */
  readonly mayBeLost: boolean
  /** How often the user has pressed the button for the decision. */
  presses: number
}

export interface WalkWorld extends AsyncDisposable {
  readonly walk: (seed: number) => Promise<void>
  readonly counts: StepCounts
}

export interface WalkOptions {
  readonly serverUrl: string
  readonly open: Browser['open']
  /** The recovery words, so that browsers at the same time do not use the same account. */
  readonly words: string
}

/** Opens a browser with a wallet and two connected pages, for any number of walks. */
export async function openWalkWorld(options: WalkOptions): Promise<WalkWorld> {
  await using stack = new AsyncDisposableStack()
  const { serverUrl, open, words } = options
  const relay = stack.use(
    await recordingRelay(
      `${serverUrl.replace('http', 'ws')}/service-wallet-connect-bridge/ws/external`,
    ),
  )
  const servers = [
    stack.use(await servePages(relay.url, 'Lender')),
    stack.use(await servePages(relay.url, 'Partner')),
  ]
  const extension = stack.use(
    await builtExtension([serverUrl, ...servers.map(({ origin }) => origin)]),
  )
  const browser = stack.use(await open(extension))
  const sites = await connectedSites({ browser, servers, words })
  const record = relayRecord(relay)
  const counts = Object.fromEntries(STEP_NAMES.map((name) => [name, 0])) as StepCounts
  const owned = stack.move()
  return {
    counts,
    walk: (seed) => walk({ browser, sites, relay, record, serverUrl, counts, seed }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function connectedSites({
  browser,
  servers,
  words,
}: {
  browser: ExtensionBrowser
  servers: readonly PageServer[]
  words: string
}): Promise<readonly Site[]> {
  const sites: Site[] = []
  for (const { origin } of servers) {
    const page = await browser.openPage(origin)
    await call(page, 'connect')
    await until('Connecting', async () => {
      const [window] = await browser.approvalWindows()
      const seen = await glance(window, {})
      if (window !== undefined && seen?.text.includes('Set up your wallet')) {
        await createWallet(window, words)
      }
      return isConnected(page)
    })
    sites.push({ origin, page, session: await storedSession(page) })
  }
  return sites
}

const isConnected = async (page: BrowserPage) =>
  (await call(page, 'status')) === 'connected' || undefined

const storedSession = async (page: BrowserPage): Promise<PageSession> =>
  pageSession(await page.evaluate(() => localStorage.getItem('walletconnect') ?? '', undefined))

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

interface Walk {
  readonly browser: ExtensionBrowser
  readonly sites: readonly Site[]
  readonly relay: RecordingRelay
  readonly record: RelayRecord
  readonly serverUrl: string
  readonly counts: StepCounts
  readonly seed: number
}

async function walk(parts: Walk): Promise<void> {
  const { browser, sites, relay, record, counts, seed } = parts
  const random = seededRandom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const operations: Operation[] = []
  let cutAt = Number.NEGATIVE_INFINITY
  /** The sites that have asked 100 times. */
  const flooded = new Set<Site>()
  const taken: string[] = []
  /** Stops of the worker that are still to come. */
  const stops = new Set<Promise<void>>()

  const recordOf = ({ session, customId }: Operation) => {
    const { requests, responses } = record.of(session)
    const ids = [...requests].flatMap(([id, text]) =>
      text.includes(`\\"customId\\":\\"${customId}\\"`) && !text.includes('wallet_action')
        ? [id]
        : [],
    )
    return { ids, responses: ids.flatMap((id) => [...(responses.get(id) ?? [])]) }
  }

  const isEnded = (operation: Operation) => recordOf(operation).responses.length > 0

  /** Requests that the user can still decide. */
  const open = () => operations.filter((each) => !each.mayEnd && !isEnded(each))

  function newOperation(site: Site): Operation {
    const number = operations.length + 1
    const kind = random() < 0.75 ? 'sign' : 'send'
    const operation: Operation = {
      site,
      session: site.session,
      kind,
      content: `${kind === 'sign' ? 'Statement' : 'Payment'} ${seed}-${number}`,
      customId: `custom-${seed}-${number}`,
      decision: random() < 0.75 ? 'approve' : 'reject',
      hasPage: true,
      // The wallet refuses a page that has too many requests.
      mayEnd: flooded.has(site),
      mayBeLost: Date.now() - cutAt < CUT_UNNOTICED_MS,
      presses: 0,
    }
    operations.push(operation)
    return operation
  }

  const ask = (page: BrowserPage, asked: readonly Operation[]) =>
    call(
      page,
      'ask',
      asked.map(({ kind, content, customId, session: { address } }) =>
        kind === 'sign'
          ? { customId, content: Buffer.from(content).toString('hex') }
          : { customId, content, message: payment(address) },
      ),
    )

  /** A page of the site that is connected, opened again if it was closed. */
  async function pageOf(site: Site): Promise<BrowserPage> {
    const page = (site.page ??= await browser.openPage(site.origin))
    await until(`The connection of ${site.origin}`, () => isConnected(page))
    return page
  }

  /** The popup, once the user has opened it to find requests of which the window was closed. */
  let popup: BrowserPage | undefined

  let lastSeenAt = Date.now()

  /** Looks once, and opens the popup if no window has shown what waits: the user closed it, or its page asked too often. */
  async function lookOrOpen(): Promise<Glance | undefined> {
    const seen = await look()
    if (seen !== undefined) lastSeenAt = Date.now()
    if (Date.now() - lastSeenAt <= POPUP_AFTER_MS) return seen
    // One that opens while the extension is updated may close itself, and the user opens it again.
    popup = await browser.openPopup().catch(() => undefined)
    // What the user cannot see cannot be approved.
    await popup?.bringToFront()
    taken.push(popup === undefined ? '(no popup)' : '(popup)')
    lastSeenAt = Date.now()
    return undefined
  }

  /** Looks at the approval window or the popup once and acts as decided. */
  async function look(): Promise<Glance | undefined> {
    const decisions = Object.fromEntries(
      operations.map(({ content, decision }) => [content, decision]),
    )
    const [window = popup] = await browser.approvalWindows()
    const seen = await glance(window, decisions)
    if (seen?.content === undefined) return seen
    const operation = operations.find(({ content }) => content === seen.content)
    if (operation === undefined) throw new Error(`A request of an earlier walk: ${seen.content}`)
    if (seen.origin !== undefined) expect(seen.origin).toBe(operation.site.origin)
    if (/^(?:Sign|Send|Reject)$/.test(seen.pressed ?? '')) operation.presses += 1
    return seen
  }

  /** The user answers the request that is shown next. */
  async function answer(): Promise<void> {
    const end = Date.now() + ANSWER_LIMIT_MS
    await record.read()
    while (Date.now() < end && open().length > 0) {
      const seen = await look()
      if (seen?.content !== undefined && /^(?:Sign|Send|Reject)$/.test(seen.pressed ?? '')) return
      await pause(POLL_MS)
      await record.read()
    }
  }

  async function leave(site: Site, close: (page: BrowserPage) => Promise<unknown>) {
    for (const operation of operations) if (operation.site === site) operation.hasPage = false
    if (site.page !== undefined) await close(site.page)
  }

  const mayEnd = (site: Site) => {
    for (const operation of operations) if (operation.site === site) operation.mayEnd = true
  }

  const isSent = (operation: Operation) => recordOf(operation).ids.length > 0

  /** A message that is lost on its way is the page's: its library ends the request after some minutes. */
  const allSent = () =>
    until('Sending', async () => {
      await record.read()
      return open().every((each) => each.mayBeLost || isSent(each)) || undefined
    })

  /** After the relay was cut, a page sends what waits once it is connected again. What was lost on its way is not waited for. */
  async function waitingSent(): Promise<void> {
    const isUnsent = (each: Operation) =>
      each.hasPage && each.session === each.site.session && !isSent(each)
    await until('Sending', async () => {
      await record.read()
      return !operations.some(isUnsent) || undefined
    }).catch(() => undefined)
    for (const operation of operations) {
      if (operation.mayBeLost && !isSent(operation)) operation.mayEnd = true
    }
  }

  async function stopsSettled(): Promise<void> {
    await Promise.all(stops)
    stops.clear()
  }

  /** The page has started a new connection, which the user approves. */
  async function connectedAgain(site: Site, page: BrowserPage): Promise<void> {
    const { clientId } = site.session
    lastSeenAt = Date.now()
    // The other page may have asked often before.
    const limitMs = LIMIT_MS + operations.length * 1000
    let shown: string | undefined
    await until(
      `Connecting ${site.origin} again`,
      async () => {
        shown = (await lookOrOpen())?.text ?? shown
        if (!(await isConnected(page))) return undefined
        const session = await storedSession(page)
        if (session.clientId === clientId) return undefined
        site.session = session
        record.of(session)
        return true
      },
      limitMs,
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}; shown: ${shown}`)
    })
  }

  const takeStep: Readonly<Record<StepName, (site: Site) => Promise<unknown>>> = {
    ask: async (site) => ask(await pageOf(site), [newOperation(site)]),
    async 'both pages ask at once'() {
      const pages = await Promise.all(sites.map(pageOf))
      const asked = sites.map(newOperation)
      await Promise.all(pages.map((page, index) => ask(page, asked.slice(index, index + 1))))
    },
    async 'ask 100 times in a second'(site) {
      const page = await pageOf(site)
      flooded.add(site)
      const asked = Array.from({ length: FLOOD }, () => newOperation(site))
      for (let sent = 0; sent < FLOOD; sent += 10) {
        await ask(page, asked.slice(sent, sent + 10))
        await pause(50)
      }
    },
    answer,
    'stop the worker': () => browser.stopWorker(),
    async 'stop the worker soon'() {
      const stop = pause(below(500)).then(() => browser.stopWorker())
      stops.add(stop)
      // Reported when the stops are awaited.
      stop.catch(() => undefined)
    },
    async 'reload a page'(site) {
      await allSent()
      await leave(site, (page) => page.reload())
    },
    async 'close a page'(site) {
      await leave(site, (page) => page.close())
      mayEnd(site)
      site.page = undefined
    },
    async 'page withdraws a request'() {
      await record.read()
      const pending = open().filter(({ hasPage }) => hasPage)
      const operation = pending[below(pending.length)]
      if (operation?.site.page === undefined) return
      operation.mayEnd = true
      await call(operation.site.page, 'withdraw', operation.customId)
    },
    async 'page restarts its connection'(site) {
      const page = await pageOf(site)
      mayEnd(site)
      await call(page, 'restart')
      await connectedAgain(site, page)
    },
    async 'page disconnects'(site) {
      const page = await pageOf(site)
      mayEnd(site)
      await call(page, 'disconnect')
      await until('Disconnecting', async () => !(await isConnected(page)) || undefined)
      await call(page, 'connect')
      await connectedAgain(site, page)
    },
    async 'user closes the window'() {
      const [window] = await browser.approvalWindows()
      await window?.close()
    },
    async 'user locks the wallet'() {
      const [window] = await browser.approvalWindows()
      if (window === undefined) return
      await sendAsWindow(window, { keeper: 'lock', args: [] }).catch(() => undefined)
    },
    async 'relay is cut'() {
      await allSent()
      relay.cut()
      cutAt = Date.now()
    },
    async 'restart the browser'() {
      await stopsSettled()
      await allSent()
      for (const site of sites) {
        await leave(site, async () => undefined)
        site.page = undefined
      }
      await browser.restart()
    },
    async 'update the extension'() {
      await stopsSettled()
      await browser.update()
    },
  }

  /** Requests without an answer that their pages have given up. */
  const givenUp = () =>
    operations.filter((each) => {
      const { ids, responses } = recordOf(each)
      const isCurrent = each.session === each.site.session
      return each.mayEnd && isCurrent && ids.length > 0 && responses.length === 0
    })

  async function withdraw(left: readonly Operation[]): Promise<void> {
    for (const { site, customId } of left) await call(await pageOf(site), 'withdraw', customId)
  }

  /**
   * Withdraws requests that their pages have given up, and that wait unseen because the user has closed the window. Returns how many
   * there were.
   */
  async function withdrawLeft(): Promise<number> {
    const left = givenUp()
    await withdraw(left)
    if (left.length > 0) await pause(20 * POLL_MS)
    return left.length
  }

  /** A site that has asked 100 times withdraws what waits once the user has answered some of it, which takes long. */
  async function endFlood(): Promise<void> {
    const isOfFlood = ({ site, mayEnd }: Operation) => mayEnd && flooded.has(site)
    const decided = operations.filter((each) => isOfFlood(each) && each.presses > 0)
    if (decided.length < FLOOD_ANSWERS) return
    await withdraw(givenUp().filter(isOfFlood))
    flooded.clear()
  }

  /** Everything that may still be answered is answered, and the window closes. */
  async function settle(): Promise<void> {
    await stopsSettled()
    for (const site of sites) await pageOf(site)
    await waitingSent()
    const last = Date.now() + SETTLE_LIMIT_MS
    let end = Date.now() + LIMIT_MS
    lastSeenAt = Date.now()
    let fewestLeft = Number.POSITIVE_INFINITY
    for (;;) {
      await record.read()
      const isDone = open().length === 0
      // What the user has approved cannot be withdrawn. If its window closed before it was done, the user finishes it in the popup.
      const isUnfinished = givenUp().some(({ presses }) => presses > 0)
      const seen = await (isDone && !isUnfinished ? look() : lookOrOpen())
      if (seen?.pressed !== undefined) end = Date.now() + LIMIT_MS
      await endFlood()
      const isIdle = seen === undefined || seen.isIdle
      if (isDone && isIdle) {
        const left = await withdrawLeft()
        if (left === 0) break
        // On a busy machine, many take longer than the limit.
        if (left < fewestLeft) end = Date.now() + LIMIT_MS
        fewestLeft = Math.min(fewestLeft, left)
      }
      if (Date.now() > Math.min(end, last)) {
        const contents = open().map((each) =>
          isSent(each) ? each.content : `${each.content}, which was not sent`,
        )
        const left = givenUp().length
        throw new Error(`Not ended: ${contents.join()}; ${left} given up; shown: ${seen?.text}`)
      }
      await pause(POLL_MS)
    }
    for (const window of await browser.approvalWindows())
      await window.close().catch(() => undefined)
    await popup?.close().catch(() => undefined)
  }

  async function check(): Promise<void> {
    const transactions = await chainTransactions(parts)
    for (const operation of operations) {
      const { content, kind, session, decision, presses, mayEnd: isOptional } = operation
      const { ids, responses } = recordOf(operation)
      expect(ids.length, `${content} was sent by its page once`).toBeLessThanOrEqual(1)
      expect(
        responses.length,
        `${content} was answered alike: ${responses.join()}`,
      ).toBeLessThanOrEqual(1)
      const carriedOut = transactions.filter((memo) => memo === content).length
      expect(carriedOut, `${content} was sent twice`).toBeLessThanOrEqual(1)
      const [response] = responses
      const rpc = response === undefined ? undefined : parseRpc(response)
      if (rpc?.kind === 'success') {
        expect([decision, presses > 0], `${content} was approved`).toEqual(['approve', true])
        if (kind === 'send') expect(carriedOut, `${content} is on the chain`).toBe(1)
        else expect(isSignature(session, content, rpc.result), `${content} was signed`).toBe(true)
      } else if (carriedOut > 0) {
        // A page that has ended its connection gets no response.
        const isGone = response === undefined && session !== operation.site.session
        if (!isGone) throw new Error(`${content} was sent, but the page has ${response}`)
        expect([decision, presses > 0], `${content} was approved`).toEqual(['approve', true])
      } else {
        if (!isOptional) {
          expect([decision, presses > 0], `${content} was rejected: ${response}`).toEqual([
            'reject',
            true,
          ])
        }
      }
    }
    for (const { origin, page, session } of sites) {
      const { requests, responses } = record.of(session)
      for (const id of responses.keys()) {
        if (!requests.has(id) && id !== `${session.handshakeId}`)
          throw new Error(`A response without a request of ${origin}`)
      }
      if (page === undefined) continue
      const waiting = operations.filter(
        (each) => each.hasPage && !each.mayEnd && each.site.origin === origin,
      )
      await until(`The outcomes of ${waiting.map(({ content }) => content).join()}`, async () => {
        const outcomes = Object(await call(page, 'outcomes'))
        return (
          waiting.every(({ customId, decision }) => {
            const outcome = outcomes[customId]
            if (outcome !== undefined) expect(outcome.valid).toBe(decision === 'approve')
            return outcome !== undefined
          }) || undefined
        )
      })
    }
  }

  record.keepOnly(sites.map(({ session }) => session))
  try {
    const length = MIN_STEPS + below(MAX_STEPS - MIN_STEPS + 1)
    for (let count = 0; count < length; count += 1) {
      const name = weightedStep(random())
      const site = sites[below(sites.length)]
      if (site === undefined) return
      taken.push(`${name}${sites.indexOf(site) === 0 ? '' : ' (partner)'}`)
      counts[name] += 1
      await takeStep[name](site)
    }
    await settle()
    await check()
  } catch (error) {
    throw new Error(`The walk with seed ${seed} failed: ${String(error)}\n${taken.join(', ')}`, {
      cause: error,
    })
  }
}

function weightedStep(random: number): StepName {
  let rest = random * Object.values(STEPS).reduce((sum, weight) => sum + weight, 0)
  for (const name of STEP_NAMES) {
    rest -= STEPS[name]
    if (rest < 0) return name
  }
  return 'ask'
}

/** One base unit, to itself: the fees are the only cost. */
function payment(address: string): string {
  const message = {
    fromAddress: address,
    toAddress: address,
    amount: [{ denom: 'nhash', amount: '1' }],
  }
  return anyBase64({ typeUrl: MsgSend.typeUrl, value: MsgSend.encode(message).finish() })
}

/** The memos of the account's last transactions. */
async function chainTransactions({ serverUrl, sites }: Walk): Promise<readonly string[]> {
  const address = sites[0]?.session.address
  const query = new URLSearchParams({
    query: `transfer.sender='${address}'`,
    order_by: 'ORDER_BY_DESC',
    limit: '100',
  })
  const response = await fetch(`${serverUrl}/chain/cosmos/tx/v1beta1/txs?${query}`)
  const { txs } = (await response.json()) as {
    readonly txs: readonly { readonly body: { readonly memo: string } }[]
  }
  return txs.map(({ body }) => body.memo)
}

function isSignature({ publicKey }: PageSession, content: string, result: unknown): boolean {
  const key = bytesOfBase64(publicKey)
  const signature = typeof result === 'string' ? bytesOfHex(result) : undefined
  if (key === undefined || signature === undefined) return false
  return verify(key, new TextEncoder().encode(content), signature)
}

/** A deterministic generator of numbers in [0, 1). */
function seededRandom(seed: number): () => number {
  let state = (seed + 1) * 48_271
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
