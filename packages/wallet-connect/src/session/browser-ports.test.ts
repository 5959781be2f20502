import { expect, test } from 'vitest'
import { isMobileDevice, pageMetadata } from './browser-ports.ts'

function aPage(metas: readonly Record<string, string>[], title = 'Title') {
  const elements = {
    meta: metas.map((meta) => ({
      content: meta['content'],
      getAttribute: (name: string) => meta[name] ?? null,
    })),
    link: [
      { rel: 'shortcut icon', href: 'https://page.example/icon.png', hasAttribute: () => true },
      { rel: 'stylesheet', href: 'https://page.example/style.css', hasAttribute: () => true },
    ],
  }
  // Only the parts of a document that are used.
  return { title, querySelectorAll: (tag: 'meta' | 'link') => elements[tag] } as unknown as Document
}

test("protocol 6: a page's metadata comes from its meta tags, in document order, origin and icons", () => {
  const page = aPage([
    { property: 'og:title', content: 'Open graph' },
    { name: 'name', content: 'Name' },
    { name: 'keywords', content: 'loans' },
  ])
  expect(pageMetadata(page, 'https://page.example/start?x=1')).toEqual({
    name: 'Open graph',
    description: 'loans',
    url: 'https://page.example',
    icons: ['https://page.example/icon.png'],
  })
})

test('protocol 6: without meta tags the title is the name and the description is empty', () => {
  expect(pageMetadata(aPage([]), 'https://page.example/')).toMatchObject({
    name: 'Title',
    description: '',
  })
})

const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Mobile/15E148'
const DESK = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0'

/** A window of this width, with or without touch. */
function view({ userAgent = PHONE, widthPx = 390, touch = true }) {
  const matchMedia = (query: string) => {
    const [, limit = ''] = /max-width: (\d+)px/.exec(query) ?? []
    return { matches: limit !== '' && widthPx <= Number(limit) } as MediaQueryList
  }
  return {
    navigator: { userAgent } as Navigator,
    matchMedia,
    ...(touch ? { ontouchstart: null } : {}),
  }
}

test.each([
  ['a phone', {}, true],
  ['a phone of 760 px', { widthPx: 760 }, true],
  ['a phone of 761 px', { widthPx: 761 }, false],
  ['a phone without touch', { touch: false }, false],
  ['a narrow window of a computer with touch', { userAgent: DESK }, false],
] as const)(
  '9 mobile detection: user agent, width up to 760 px and touch: %s',
  (_, device, isMobile) => {
    expect(isMobileDevice(view(device))).toBe(isMobile)
  },
)
