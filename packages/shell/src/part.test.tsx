import type { ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { part } from './part.tsx'

const Words = () => <p>There</p>
const page = (Part: ComponentType) => renderToStaticMarkup(<Part />)

test('4.11 a preloaded part renders at once, without suspending', async () => {
  const loads: string[] = []
  const Part = part(async () => {
    loads.push('begun')
    return Words
  })
  expect(page(Part)).not.toContain('There')
  Part.preload()
  await expect.poll(() => page(Part)).toContain('<p>There</p>')
})

test('4.11 a preload that fails changes nothing', async () => {
  let reachable = false
  const Part = part(() => (reachable ? Promise.resolve(Words) : Promise.reject(new Error('away'))))
  Part.preload()
  await Promise.resolve()
  reachable = true
  Part.preload()
  await expect.poll(() => page(Part)).toContain('There')
})
