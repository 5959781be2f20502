// `npm run import-people -- FILE [--dry-run] [--report FILE] [--firebase FILE]`: adds the people of another product.
// docs/import.md has the details.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parseConfig } from '@portico/server/config'
import { ConfigError } from '@portico/server/config-error'
import { importPeople } from '@portico/server/import-people'
import { operatorCommand } from './operator-command.ts'

await operatorCommand('The import stopped', async () => {
  const { file, ...options } = wordsOf(process.argv.slice(2))
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

// npm runs this in the repository's root, whatever the caller's folder.
function fromCaller(path: string): string {
  return resolve(process.env.INIT_CWD ?? '', path)
}

function wordsOf(args: string[]) {
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
        file: fromCaller(file),
        reportFile: report && fromCaller(report),
        firebaseFile: firebase && fromCaller(firebase),
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
