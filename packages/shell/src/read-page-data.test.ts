import { expect, test } from 'vitest'
import { readPageData } from './read-page-data.ts'
import { pageData } from './testing.tsx'

const documentWith = (textContent: string | null) => ({
  getElementById: (id: string) =>
    id === 'page-data' && textContent !== null ? ({ textContent } as HTMLElement) : null,
})

test('3 the page data is parsed once, at the edge', () => {
  expect(readPageData(documentWith(JSON.stringify(pageData())))).toEqual(pageData())
})

test.each([
  ['missing', null],
  ['not JSON', '{'],
  ['without an organization', JSON.stringify({ ...pageData(), organization: undefined })],
  ['without flags', JSON.stringify({ ...pageData(), flags: undefined })],
  ['of an organization without a flag', JSON.stringify({ ...pageData(), flags: { OTHER: true } })],
])("8 page data that is %s fails with 'No private label data found'", (_, text) => {
  expect(() => readPageData(documentWith(text))).toThrow('No private label data found')
})
