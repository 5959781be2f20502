/** Firefox with Puppeteer over WebDriver BiDi. */
import type { Page } from 'puppeteer-core'
import type { BrowserPage } from './browser-page.ts'

/** The part of WebDriver BiDi that Puppeteer uses but does not offer. */
interface Connection {
  readonly send: (method: string, params: object) => Promise<{ readonly result: unknown }>
}

/** Evaluates an expression with the rights of the browser itself, which needs `--remote-allow-system-access`. */
export async function inBrowser(browser: object, expression: string): Promise<unknown> {
  const connection: Connection = Reflect.get(browser, 'connection')
  const { result: tree } = await connection.send('browsingContext.getTree', {
    'moz:scope': 'chrome',
  })
  const { contexts } = tree as { readonly contexts: readonly { readonly context: string }[] }
  const { result } = await connection.send('script.evaluate', {
    expression,
    target: { context: contexts[0]?.context },
    awaitPromise: true,
  })
  const evaluated = result as {
    readonly result?: { readonly value?: unknown }
    readonly exceptionDetails?: { readonly text: string }
  }
  if (evaluated.exceptionDetails !== undefined) throw new Error(evaluated.exceptionDetails.text)
  return evaluated.result?.value
}

/** Puppeteer also evaluates handles, which its types express and ours do not. */
export function browserPage(page: Page): BrowserPage {
  return page as unknown as BrowserPage
}
