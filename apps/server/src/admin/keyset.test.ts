import { expect, test } from 'vitest'
import { type Cursor, visiblePage } from './keyset.ts'

interface Row extends Cursor {
  readonly number: number
}

/** Newest first. */
const ROWS: readonly Row[] = Array.from({ length: 1200 }, (_, number) => ({
  number,
  createdAt: 10_000 - number,
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
}))

async function pages(limit: string, isVisible: (row: Row) => boolean): Promise<number[][]> {
  const found: number[][] = []
  let after: string | undefined
  do {
    const page = await visiblePage(
      { limit, after },
      {
        list: async ({ after: cursor, limit: most }) => {
          const start = cursor === undefined ? 0 : ROWS.findIndex(({ id }) => id === cursor.id) + 1
          return ROWS.slice(start, start + most)
        },
        isVisible,
      },
    )
    found.push(page.items.map(({ number }) => number))
    after = page.next ?? undefined
  } while (after !== undefined)
  return found
}

test('15 a page is not empty while the operator may see later rows', async () => {
  const own = [3, 700, 1100, 1101, 1199]
  expect(await pages('2', ({ number }) => own.includes(number))).toEqual([
    [3, 700],
    [1100, 1101],
    [1199],
  ])
  expect(await pages('5', ({ number }) => own.includes(number))).toEqual([own])
  expect(await pages('5', () => false)).toEqual([[]])
})
