/** The common interface of the browser drivers. */

/** The part of a page that Playwright, Puppeteer and our WebDriver client share. */
export interface BrowserPage {
  readonly evaluate: <Arg, Result>(run: (arg: Arg) => Result, arg: Arg) => Promise<Awaited<Result>>
  readonly reload: () => Promise<unknown>
  readonly close: () => Promise<void>
  readonly isClosed: () => boolean
  readonly bringToFront: () => Promise<void>
  readonly mouse: { readonly click: (x: number, y: number) => Promise<void> }
  readonly keyboard: { readonly type: (text: string) => Promise<void> }
}

const LIMIT_MS = 30_000
const POLL_MS = 20

/** Repeats an attempt until it returns something. */
export async function until<Value>(
  what: string,
  attempt: () => Promise<Value | undefined>,
  limitMs = LIMIT_MS,
): Promise<Value> {
  const end = Date.now() + limitMs
  let cause: unknown
  while (Date.now() < end) {
    // A window that is closing rejects calls.
    const value = await attempt().catch((error: unknown) => {
      cause = error
      return undefined
    })
    if (value !== undefined) return value
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new Error(`${what} did not happen`, { cause })
}
