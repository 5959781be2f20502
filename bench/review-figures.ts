import { randomBytes } from 'node:crypto'
import { createPassport } from '@portico/contracts/passport'
import { readReviewQueue } from '@portico/contracts/passport-review'
import { createHostedAccount } from '@portico/contracts/wallet'
import { type Figure, latencyFigure } from './figure.ts'
import { anotherNetwork, putLoad, wireRequest } from './load.ts'
import { signedIn } from './requests.ts'
import { type Engine, emailOf, seedReviews } from './seeds.ts'
import { aSite, browserAt, type Product, type Site } from './sites.ts'
import type { Spread } from './spread.ts'

const IDENTITIES = 1000
const FEW = 1000
const MANY = 100_000
const PAGES = 200
const INVESTOR = 0
const REVIEWER = 1
const STATES = ['waiting', 'with-investor', 'approved', 'denied'] as const

/** Pages of reviews, from the first to the last of each list. */
export async function reviewFigures(engine: Engine, rounds: number): Promise<Figure[]> {
  await using site = await aSite(engine, IDENTITIES)
  await using first = await site.serve()
  const browser = browserAt(first.port)
  await browser.signIn({ email: emailOf(INVESTOR), password: site.password })
  await browser.call(createHostedAccount, { body: { name: 'Everyday', default: true } })
  await browser.call(createPassport, { body: { passportStructureType: 'INDIVIDUAL' } })
  await first[Symbol.asyncDispose]()

  const begin = Date.now()
  await site.execute(seedReviews(engine, { from: 0, to: FEW, begin, reviewer: emailOf(REVIEWER) }))
  const few = await pages(site, { rounds, begin, count: FEW })
  await site.execute(
    seedReviews(engine, { from: FEW, to: MANY, begin, reviewer: emailOf(REVIEWER) }),
  )
  const many = await pages(site, { rounds, begin, count: MANY })
  return [
    latencyFigure({
      figure: 'A page of 25 reviews, p50 / p95 / p99, of 100,000; of 1,000',
      on: engine,
      ours: many,
      baseline: few,
    }),
  ]
}

/** Times of pages at places all over the lists. */
async function pages(
  site: Site,
  { rounds, begin, count }: { rounds: number; begin: number; count: number },
): Promise<Spread[]> {
  await using product: Product = await site.serve()
  const { port } = product
  const [reviewer] = await signedIn(port, site, REVIEWER, 1)
  if (reviewer === undefined) throw new Error('The reviewer is not logged in')
  const { jwt, cookie } = reviewer
  const requests = Array.from({ length: PAGES }, (_, index) => {
    const state = STATES[index % STATES.length]
    const place = begin - Math.floor((count * index) / PAGES)
    const after = `${place}.${randomBytes(16).toString('hex').padEnd(36, '-')}`
    const headers = { authorization: `Bearer ${jwt}`, cookie, ...anotherNetwork() }
    return wireRequest({
      path: `${readReviewQueue.path}?state=${state}&after=${after}`,
      port,
      headers,
    })
  })
  await putLoad({ port, requests, connections: 1 })
  const spreads: Spread[] = []
  for (let round = 0; round < rounds; round += 1) {
    spreads.push((await putLoad({ port, requests, connections: 1 })).latency)
  }
  return spreads
}
