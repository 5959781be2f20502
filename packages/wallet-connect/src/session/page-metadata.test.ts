import { expect, test } from 'vitest'
import { pageMetadata } from './page-metadata.ts'

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
