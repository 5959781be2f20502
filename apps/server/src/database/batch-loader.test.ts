import { expect, test } from 'vitest'
import { batchLoader } from './batch-loader.ts'

/** A query that records its keys and is resolved by the test. */
function aQuery(atATime: number) {
  const queried: (readonly string[])[] = []
  const answers: ((answer: ReadonlyMap<string, string> | Error) => void)[] = []
  const load = batchLoader<string, string>(atATime, (keys) => {
    queried.push(keys)
    return new Promise((resolve, reject) =>
      answers.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer))),
    )
  })
  return { load, queried, answers }
}

const endOfTurn = () => new Promise((resolve) => setImmediate(resolve))

test('5 loads in one event loop turn share one query, and each gets its own result', async () => {
  const { load, queried, answers } = aQuery(10)
  const heard = Promise.all([load('one'), load('two'), load('none'), load('one')])
  await endOfTurn()
  expect(queried).toEqual([['one', 'two', 'none', 'one']])
  answers[0]?.(
    new Map([
      ['two', '2'],
      ['one', '1'],
    ]),
  )
  expect(await heard).toEqual(['1', '2', undefined, '1'])
})

test('5 a load after a query has begun waits for the next one, so no result is older than its load', async () => {
  const { load, queried, answers } = aQuery(10)
  const before = load('one')
  await endOfTurn()
  const after = load('one')
  answers[0]?.(new Map([['one', 'old']]))
  await endOfTurn()
  expect(queried).toEqual([['one'], ['one']])
  answers[1]?.(new Map([['one', 'new']]))
  expect(await before).toBe('old')
  expect(await after).toBe('new')
})

test('4 a query loads at most a batch, and a failure rejects only the loads of that batch', async () => {
  const { load, queried, answers } = aQuery(2)
  const heard = Promise.allSettled(['one', 'two', 'three'].map(load))
  await endOfTurn()
  expect(queried).toEqual([['one', 'two'], ['three']])
  answers[0]?.(new Error('the connection broke'))
  answers[1]?.(new Map([['three', '3']]))
  expect((await heard).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
})
