/** The pages of an identity provider, as a browser without scripts uses them. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Browser } from '../../support/browser.ts'
import { sentForm } from '../../support/identity-provider.ts'

const READY_WITHIN_MS = 20_000

export interface Page {
  readonly url: string
  readonly text: string
}

/** Waits until a server answers. */
export async function answersAt(url: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS
  for (;;) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return
    if (Date.now() > deadline) {
      throw new Error(`${url} does not answer: ${response?.status} ${await response?.text()}`)
    }
    await wait(20)
  }
}

/** Opens a page and follows redirects, except to our own callback. */
export async function openPage(
  browser: Browser,
  url: string,
  real: (url: string) => string = (each) => each,
): Promise<Page> {
  return follow(browser, await browser.fetch(real(url)), real(url), real)
}

export async function sendForm(
  browser: Browser,
  url: string,
  fields: Readonly<Record<string, string>>,
  real: (url: string) => string = (each) => each,
): Promise<Page> {
  const response = await browser.fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })
  return follow(browser, response, url, real)
}

export const formIn = ({ text }: Page) => sentForm(text)

async function follow(
  browser: Browser,
  response: Response,
  url: string,
  real: (url: string) => string,
): Promise<Page> {
  const location = response.headers.get('location')
  if (location === null) return { url, text: await response.text() }
  const next = real(new URL(location, url).href)
  return new URL(next).pathname.startsWith('/identity-broker/')
    ? { url: next, text: '' }
    : openPage(browser, next, real)
}
