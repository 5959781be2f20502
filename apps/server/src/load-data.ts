/** Loads all data files of the configuration folder together, so that a failed start reports every error at once. */
import { existsSync } from 'node:fs'
import { type BrandSource, type Brands, loadBrands } from './brands/brands.ts'
import { exampleContacts } from './brands/example-contacts.ts'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import { EXAMPLE_CONTACTS } from './configuration/insecure.ts'
import type { ExperimentFile } from './experiments/experiment-file.ts'
import { loadExperiments } from './experiments/load-experiments.ts'
import type { ClientFile } from './openid-provider/client-file.ts'
import { loadClients } from './openid-provider/load-clients.ts'
import { loadWebhooks, type Webhook, type WebhookConfig } from './webhooks/load-webhooks.ts'

type DataConfig = Pick<Config, 'supportPhone' | 'defaultOrgCode' | 'production' | 'allowInsecure'> &
  WebhookConfig

/** The parsed contents of the configuration folder. */
export interface Data {
  /** The brands that the files define, and their sources. */
  readonly brands: Brands
  readonly brandSource: BrandSource
  readonly experiments: readonly ExperimentFile[]
  readonly webhooks: readonly Webhook[]
  /** The lender's applications, for which Portico is the OpenID provider. */
  readonly clients: readonly ClientFile[]
}

/** @throws ConfigError - naming every invalid file and field */
export async function loadData(config: DataConfig): Promise<Data> {
  const errors: string[] = []
  const data = await readData(config, errors)
  if (errors.length > 0 || data === undefined) throw new ConfigError(errors)
  return data
}

/** The errors in the data files, for a start that already failed for another reason. */
export async function dataErrors(config: DataConfig): Promise<readonly string[]> {
  const errors: string[] = []
  await readData(config, errors)
  return errors
}

async function readData(config: DataConfig, errors: string[]): Promise<Data | undefined> {
  const { configDir } = config
  if (!existsSync(configDir)) {
    errors.push(`CONFIG_DIR ${configDir} does not exist`)
    return undefined
  }
  const { brands, source: brandSource, orgCodes } = await loadBrands(config, errors)
  if (config.production && !config.allowInsecure.includes(EXAMPLE_CONTACTS)) {
    const madeUp = exampleContacts(brands?.organizations.all ?? [])
    if (madeUp !== undefined) errors.push(madeUp)
  }
  const experiments = loadExperiments(configDir, orgCodes, errors)
  const webhooks = loadWebhooks(config, orgCodes, errors)
  const clients = loadClients(configDir, orgCodes, errors)
  return brands && { brands, brandSource, experiments, webhooks, clients }
}
