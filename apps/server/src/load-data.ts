/** All data of the configuration folder, so that a start that fails reports every error at once. */
import { existsSync } from 'node:fs'
import * as z from 'zod/mini'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import type { ExperimentFile } from './experiments/experiment-file.ts'
import { loadExperiments } from './experiments/load-experiments.ts'
import { type Looks, openLooks } from './looks/looks.ts'
import { readStyleSheets } from './looks/style-sheets.ts'
import { declaredOrgCodes, readDeclaredOrganizations } from './organizations/declared.ts'
import { type LoadedOrganizations, loadOrganizations } from './organizations/organizations.ts'

type DataConfig = Pick<Config, 'configDir' | 'supportPhone'>

interface Data {
  readonly organizations: LoadedOrganizations
  readonly looks: Looks
  readonly experiments: readonly ExperimentFile[]
}

/**
 * Reads and checks all data.
 *
 * @throws ConfigError - naming every file and field that is wrong
 */
export async function loadData(config: DataConfig): Promise<Data> {
  const errors: string[] = []
  const data = await readData(config, errors)
  if (errors.length > 0 || data === undefined) throw new ConfigError(errors)
  return data
}

/** What is wrong with the data, for a start that fails for another reason too. */
export async function dataErrors(config: DataConfig): Promise<readonly string[]> {
  const errors: string[] = []
  await readData(config, errors)
  return errors
}

async function readData(config: DataConfig, errors: string[]): Promise<Data | undefined> {
  z.config(z.locales.en()) // Without a locale the messages of schemas only say that something is wrong.
  const { configDir } = config
  if (!existsSync(configDir)) {
    errors.push(`CONFIG_DIR names ${configDir}, which does not exist`)
    return undefined
  }
  const organizations = loadOrganizations(config, errors)
  if (organizations === undefined) {
    // Nothing inherits without the default organization; what does not depend on it is checked all the same.
    await readStyleSheets(configDir, errors)
    const codes = declaredOrgCodes(readDeclaredOrganizations(configDir))
    loadExperiments(configDir, codes, errors)
    return undefined
  }
  return {
    organizations,
    looks: await openLooks(configDir, organizations, errors),
    experiments: loadExperiments(configDir, organizations.codes, errors),
  }
}
