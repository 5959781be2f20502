import { EXPERIMENT_KEYS } from '@portico/contracts/experiment-keys'
import { ConfigError } from '../config-error.ts'
import { readFiles } from '../data-files/data-files.ts'
import { ExperimentFile } from './experiment-file.ts'

/**
 * Reads the experiments of a configuration folder. One that no file describes is off.
 *
 * @throws ConfigError - naming each file and field that is wrong
 */
export function loadExperiments(
  configDir: string,
  orgCodes: readonly string[],
): readonly ExperimentFile[] {
  const faults: string[] = []
  const files = readFiles(configDir, 'experiments', ExperimentFile, faults)
  const known = new Set(orgCodes)
  for (const { name, content } of files) {
    for (const field of ['onlyOrganizations', 'exceptOrganizations'] as const) {
      for (const code of content[field] ?? []) {
        // A code nobody has is a slip of the pen, and would quietly leave out whom it was meant for.
        if (!known.has(code))
          faults.push(`${name}: ${field} names ${code}, which no organisation has`)
      }
    }
  }
  for (const key of EXPERIMENT_KEYS) {
    const [first, ...others] = files.filter(({ content }) => content.key === key)
    faults.push(...others.map(({ name }) => `${name}: key ${key} is taken by ${first?.name}`))
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return files.map(({ content }) => content)
}
