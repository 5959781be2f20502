import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseConfig } from '@portico/server/config'
import { importPeople } from '@portico/server/import-people'
import { type Figure, figure, perSecond } from './figure.ts'
import type { Engine } from './seeds.ts'
import { aSite } from './sites.ts'

const PEOPLE = 100_000
const BCRYPT = '$2b$10$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui'

/** An import of 100,000 people with password hashes. */
export async function importFigures(engine: Engine, rounds: number): Promise<Figure[]> {
  const ours: number[] = []
  const parsed: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await using site = await aSite(engine, 1)
    const { DATA_DIR = '' } = site.environment
    const file = path.join(DATA_DIR, 'people.ndjson')
    const lines = Array.from({ length: PEOPLE }, (_, index) =>
      JSON.stringify({
        email: `imported.${index}@bench.example`,
        organization: 'FIGURE',
        givenName: 'Ada',
        familyName: `Example ${index}`,
        passwordHash: BCRYPT,
      }),
    )
    writeFileSync(file, `${lines.join('\n')}\n`)
    let begin = performance.now()
    for (const line of readFileSync(file, 'utf8').split('\n')) if (line !== '') JSON.parse(line)
    parsed.push((PEOPLE / (performance.now() - begin)) * 1000)
    begin = performance.now()
    const { imported } = await importPeople(parseConfig({ ...site.environment }), {
      file,
      isDryRun: false,
    })
    ours.push((PEOPLE / (performance.now() - begin)) * 1000)
    if (imported !== PEOPLE) throw new Error(`${imported} of ${PEOPLE} people were imported`)
    rmSync(file)
  }
  return [
    figure({
      figure: 'People imported from a file of 100,000; its lines only parsed',
      on: engine,
      ours,
      baseline: parsed,
      write: perSecond,
    }),
  ]
}
