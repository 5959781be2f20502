// `npm run import-people -- FILE [--dry-run] [--report FILE] [--firebase FILE]`: adds the people of another product.
// docs/import.md has the details.
import { parseArgs } from 'node:util'
import { parseConfig } from '@portico/server/config'
import { ConfigError } from '@portico/server/config-error'
import { importPeople } from '@portico/server/import-people'
import { operatorCommand, resolveFromCaller } from './operator-command.ts'

await operatorCommand('The import stopped', async () => {
  const { file, ...options } = parseArguments(process.argv.slice(2))
  const summary = await importPeople(parseConfig(process.env), { file, ...options })
  const { continuedAfter, reportFile, imported, exists, duplicate, refused } = summary
  if (continuedAfter > 0) console.log(`Continued after line ${continuedAfter}.`)
  console.log(
    [
      `${imported} ${options.isDryRun ? 'can be imported' : 'imported'}`,
      `${exists} have an account`,
      `${duplicate} are on an earlier line`,
      `${refused} refused`,
    ].join(', '),
  )
  console.log(`${reportFile} has a line for each.`)
  if (refused > 0) process.exitCode = 2
})

function parseArguments(args: string[]) {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        'dry-run': { type: 'boolean', default: false },
        report: { type: 'string' },
        firebase: { type: 'string' },
      },
    })
    const [file, ...rest] = positionals
    if (file !== undefined && rest.length === 0) {
      const { report, firebase, 'dry-run': isDryRun } = values
      return {
        file: resolveFromCaller(file),
        reportFile: report && resolveFromCaller(report),
        firebaseFile: firebase && resolveFromCaller(firebase),
        isDryRun,
      }
    }
  } catch {
    // The usage follows.
  }
  throw new ConfigError([
    'npm run import-people -- FILE [--dry-run] [--report FILE] [--firebase FILE]',
  ])
}
