import { expect, test } from 'vitest'
import { correctedUrl } from './hydrate-page.tsx'
import { memoryStorage, pageData } from './testing.tsx'

const { organization } = pageData()

/** The redirect of a tab with a page that the server rendered for this organization and query. */
function redirectOf(orgCode: string, query: string, storage = memoryStorage()) {
  const page = pageData({ query, organization: { ...organization, orgCode } })
  const href = `https://lender.example/auth/login${query === '' ? '' : `?${query}`}#terms`
  return correctedUrl(page, { storage, location: { href } })
}

test('1 a tab keeps its organization after another tab opened a different one', () => {
  const storage = memoryStorage()
  expect(redirectOf('HARBORLINE', 'orgCode=HARBORLINE', storage)).toBeUndefined()
  expect(redirectOf('HARBORLINE', '', storage)).toBeUndefined()
  expect(redirectOf('CEDAR_POINT', '', storage)).toBe(
    'https://lender.example/auth/login?orgCode=HARBORLINE#terms',
  )
  expect(redirectOf('CEDAR_POINT', 'q=a%20b', storage)).toBe(
    'https://lender.example/auth/login?q=a%20b&orgCode=HARBORLINE#terms',
  )
})

test('1 the organization named in a URL is kept, and a tab redirects at most once', () => {
  const storage = memoryStorage({ 'portico-organization': 'HARBORLINE' })
  expect(redirectOf('CEDAR_POINT', 'orgCode=cedar_point', storage)).toBeUndefined()
  expect(redirectOf('CEDAR_POINT', '', storage)).toBeUndefined()
  const removed = memoryStorage({ 'portico-organization': 'GONE' })
  expect(redirectOf('CEDAR_POINT', '', removed)).toContain('orgCode=GONE')
  expect(redirectOf('CEDAR_POINT', 'orgCode=GONE', removed)).toBeUndefined()
  expect(redirectOf('CEDAR_POINT', '', removed)).toBeUndefined()
})
