import { expect, test, vi } from 'vitest'
import { browserEnvironment } from './environment.ts'

test('a downloaded file can still be read when the browser starts to save it', async () => {
  const links: HTMLAnchorElement[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    links.push(this)
  })
  const page = { version: '0.1.0', demonstration: true, supportPhone: '8005550142' }
  browserEnvironment(page, window).download('lines.csv', 'kind')
  const [link] = links
  expect(link?.download).toBe('lines.csv')
  expect(await (await fetch(link?.href ?? '')).text()).toBe('kind')
  vi.restoreAllMocks()
})
