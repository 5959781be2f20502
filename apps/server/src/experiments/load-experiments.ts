import { EXPERIMENT_KEYS } from '@portico/contracts/experiment-keys'
import { readFiles } from '../data-files/data-files.ts'
import { ExperimentFile } from './experiment-file.ts'

/**
 * Reads the experiments of a configuration folder and adds their errors to `errors`. An experiment without a file is
 * off.
 */
export function loadExperiments(
  configDir: string,
  orgCodes: { readonly has: (orgCode: string) => boolean },
  errors: string[],
): readonly ExperimentFile[] {
  const files = readFiles(configDir, 'experiments', ExperimentFile, errors)
  for (const { name, content } of files) {
    for (const field of ['onlyOrganizations', 'exceptOrganizations'] as const) {
      for (const code of content[field] ?? []) {
        // An unknown code is a typo that would silently exclude an organization.
        if (!orgCodes.has(code)) {
          errors.push(`${name}: ${field} contains ${code}, but no organization has this code`)
        }
      }
    }
  }
  for (const key of EXPERIMENT_KEYS) {
    const [first, ...others] = files.filter(({ content }) => content.key === key)
    errors.push(
      ...others.map(({ name }) => `${name}: key ${key} is already used by ${first?.name}`),
    )
  }
  return files.map(({ content }) => content)
}
