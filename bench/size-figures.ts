import { type Figure, figure, perSecond, short } from './figure.ts'
import { measureAlternately } from './pairs.ts'
import { reads, signedIn } from './requests.ts'
import type { Engine } from './seeds.ts'
import { atFullSpeed, passcodeSignIns, settle } from './server-figures.ts'
import { aSite, type Product, type Site } from './sites.ts'
import { megabytes, memoryOf } from './start-figures.ts'

const FEW = 10_000
const MANY = 1_000_000
const READERS = 200
const NETWORKS = 4000
const PASSCODES = 400

/** Memory and speed with many identities, against few. */
export async function sizeFigures(engine: Engine, rounds: number): Promise<Figure[]> {
  await using few = await aSite(engine, FEW)
  await using many = await aSite(engine, MANY)
  await using fewServed = await few.serve()
  await using manyServed = await many.serve()
  const read = {
    few: await reader(few, FEW, fewServed),
    many: await reader(many, MANY, manyServed),
  }
  const speed = await measureAlternately(rounds, { few: read.few, many: read.many })
  const passcode = await measureAlternately(rounds, {
    few: (round) => passcodeSignIns(fewServed.port, anywhere(FEW, round), PASSCODES),
    many: (round) => passcodeSignIns(manyServed.port, anywhere(MANY, round), PASSCODES),
  })
  const stored = {
    few: (await few.storedBytes()) / FEW,
    many: (await many.storedBytes()) / MANY,
  }
  const memory = [few, many].map((site, index) => ({
    site,
    held: memoryOf((index === 0 ? fewServed : manyServed).pid),
  }))
  const lines = (name: string) => `${name}, 1,000,000 identities; 10,000`
  return [
    figure({
      figure: lines('Identity read'),
      on: engine,
      ours: speed.many,
      baseline: speed.few,
      write: perSecond,
    }),
    figure({
      figure: lines('Sign-in by one-time code'),
      on: engine,
      ours: passcode.many,
      baseline: passcode.few,
      write: perSecond,
    }),
    figure({
      figure: lines('Stored for each identity, indexes included'),
      on: engine,
      ours: [stored.many],
      baseline: [stored.few],
      write: (bytes) => `${short(bytes)} B`,
    }),
    figure({
      figure: lines('Memory after these'),
      on: engine,
      ours: [memory[1]?.held ?? 0],
      baseline: [memory[0]?.held ?? 0],
      write: megabytes,
    }),
  ]
}

/** Reads by people spread over the whole installation, so that they use many database pages. */
async function reader(site: Site, identities: number, { port }: Product) {
  const people = (
    await Promise.all(
      [0.1, 0.5, 0.8].map((share) => signedIn(port, site, Math.floor(identities * share), READERS)),
    )
  ).flat()
  const requests = reads(port, people, NETWORKS)
  await settle(port, requests, site)
  return () => atFullSpeed(port, requests, site)
}

const anywhere = (identities: number, round: number) =>
  Math.floor(identities * 0.2) + round * PASSCODES
