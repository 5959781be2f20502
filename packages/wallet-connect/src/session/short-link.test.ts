import { expect, test } from 'vitest'
import { shortLink } from './short-link.ts'

const LONG = 'https://links.example/?link=long'

function aService(answer: () => Response | Promise<Response>) {
  const requests: { url: string; body: unknown }[] = []
  const logged: string[] = []
  const ports = {
    fetch: async (url: URL | RequestInfo, init?: RequestInit) => {
      requests.push({ url: url instanceof Request ? url.url : url.toString(), body: init?.body })
      return answer()
    },
    href: () => 'https://page.example/start',
    log: (text: string) => void logged.push(text),
  }
  return { requests, logged, ports }
}

test('7.4 a POST with a longDynamicLink body returns shortLink', async () => {
  const { requests, ports } = aService(() =>
    Response.json({ shortLink: 'https://page.example/links/a' }),
  )
  await expect(shortLink(LONG, '/links', ports)).resolves.toBe('https://page.example/links/a')
  expect(requests).toEqual([
    { url: 'https://page.example/links', body: JSON.stringify({ longDynamicLink: LONG }) },
  ])
})

test.each([
  ['refuses', () => new Response('no', { status: 400 })],
  ['does not respond with JSON', () => new Response('hello')],
  ['responds without a link', () => Response.json({ shortLink: 7 })],
  ['is unreachable', () => Promise.reject(new TypeError('failed'))],
])(
  'protocol 14: if the service %s the long link is used, and that is logged',
  async (_, answer) => {
    const { logged, ports } = aService(answer)
    await expect(shortLink(LONG, '/links', ports)).resolves.toBe(LONG)
    expect(logged).toEqual(['Failed to fetch short QR code'])
  },
)

test('without a service no request is sent', async () => {
  const { requests, ports } = aService(() => Response.json({}))
  await expect(shortLink(LONG, '', ports)).resolves.toBe(LONG)
  expect(requests).toEqual([])
})
