import { expect, test } from 'vitest'
import { pathChanges } from './page-views.ts'

test('2.1 a page-view event is sent on every path change', () => {
  const paths: string[] = []
  const seen = pathChanges({ seen: (path) => paths.push(path) })
  for (const path of ['/login', '/login', '/register', '/login']) seen(path)
  expect(paths).toEqual(['/login', '/register', '/login'])
})
