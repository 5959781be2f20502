import { pageData } from '@portico/shell/testing'
import { expect, test, vi } from 'vitest'
import { browserEnvironment } from './environment.ts'

test('a downloaded file can still be read when the browser starts to save it', async () => {
  const links: HTMLAnchorElement[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    links.push(this)
  })
  browserEnvironment(pageData({}), window).download('codes.txt', 'abcd-efgh')
  const [link] = links
  expect(link?.download).toBe('codes.txt')
  expect(await (await fetch(link?.href ?? '')).text()).toBe('abcd-efgh')
  vi.restoreAllMocks()
})
