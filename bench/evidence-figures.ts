import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { ApiError } from '@portico/client/api-error'
import { MAX_PASSPORT_FILE_BYTES, PASSPORT_FILE_PART_BYTES } from '@portico/contracts/limits'
import { createPassport } from '@portico/contracts/passport'
import {
  completePassportFile,
  createPassportFile,
  sendPassportFilePart,
} from '@portico/contracts/passport-files'
import { createHostedAccount } from '@portico/contracts/wallet'
import { aPdf } from '../apps/server/src/passport/evidence/testing.ts'
import { type Figure, figure, short } from './figure.ts'
import { emailOf } from './seeds.ts'
import { aSite, browserAt } from './sites.ts'
import { megabytes, memoryOf } from './start-figures.ts'

const PEOPLE = 20
const ON = 'embedded'
const SAMPLING_INTERVAL_MS = 20

/** A scan of the maximum size that does not compress. */
const LARGE = aPdf([
  {
    dictionary: '/Subtype /Image /Filter /DCTDecode',
    content: randomBytes(MAX_PASSPORT_FILE_BYTES - 4096),
  },
])
const SMALL = aPdf()

/** Checks of evidence files: 20 people send 20 MB each, and one more person a small file. */
export async function evidenceFigures(): Promise<Figure[]> {
  await using site = await aSite(ON, PEOPLE + 2)
  await using product = await site.serve()
  const { port, pid } = product

  /** Uploads a file up to its check, which the result does. */
  async function prepare(person: number, content: Uint8Array): Promise<() => Promise<number>> {
    const browser = browserAt(port)
    await browser.signIn({ email: emailOf(person), password: site.password })
    await browser.call(createHostedAccount, { body: { name: 'Everyday', default: true } })
    const { passportUuid } = await browser.call(createPassport, {
      body: { passportStructureType: 'INDIVIDUAL' },
    })
    const body = { passportUuid, name: 'Statement.pdf', bytes: content.length, modifiedAt: 1 }
    const { fileUuid } = await browser.call(createPassportFile, { body })
    for (let offset = 0; offset < content.length; offset += PASSPORT_FILE_PART_BYTES) {
      await browser.call(sendPassportFilePart, {
        query: { fileUuid, offset: String(offset) },
        body: content.slice(offset, offset + PASSPORT_FILE_PART_BYTES),
      })
    }
    return async () => {
      const begin = performance.now()
      for (;;) {
        try {
          await browser.call(completePassportFile, { body: { fileUuid } })
          return performance.now() - begin
        } catch (error) {
          // As when a user retries after thirty seconds: the call waits for the same check.
          if (!(error instanceof ApiError) || error.code !== 'timed-out') throw error
        }
      }
    }
  }

  const alone = await (await prepare(PEOPLE, LARGE))()
  const checks: (() => Promise<number>)[] = []
  for (let person = 0; person < PEOPLE; person += 1) checks.push(await prepare(person, LARGE))
  const small = await prepare(PEOPLE + 1, SMALL)
  const before = memoryOf(pid)
  let highest = before
  const sampling = setInterval(() => {
    highest = Math.max(highest, memoryOf(pid))
  }, SAMPLING_INTERVAL_MS)
  const all = checks.map((check) => check())
  const waited = await small()
  const slowest = Math.max(...(await Promise.all(all)))
  clearInterval(sampling)
  const ms = (value: number) => `${short(value)} ms`
  const baseline = [alone]
  return [
    figure({
      figure: 'Check of 20 files of 20 MB that 20 people send at once, until the last; of one',
      on: ON,
      ours: [slowest],
      baseline,
      write: ms,
    }),
    figure({
      figure: 'Check of a small file sent after these 20, with the wait; of one of 20 MB alone',
      on: ON,
      ours: [waited],
      baseline,
      write: ms,
    }),
    figure({
      figure: 'Highest memory during these checks; before them',
      on: ON,
      ours: [highest],
      baseline: [before],
      write: megabytes,
    }),
  ]
}
