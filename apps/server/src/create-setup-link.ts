/** Mails the link to set up an organization's identity provider, for an operator. */
import { USER_TYPES, type UserType } from '@portico/contracts/broker'
import { emailAddress } from '@portico/contracts/email-address'
import type { Organizations } from './brands/brands.ts'
import { createSetupLink, type SetupLinkDeps } from './broker/setup/create-setup-link.ts'
import { endSetup } from './broker/setup/end-setup.ts'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import { openDatabase } from './database/database.ts'
import { loadData } from './load-data.ts'
import { automaticSender } from './mail/layout.ts'
import { openOutbox } from './mail/outbox.ts'
import { mailTransport } from './mail/transport.ts'
import { openLog } from './operations/log.ts'
import { requestFromServer } from './operations/operator-socket.ts'
import { openVault } from './secrets/vault.ts'
import { allStores } from './stores.ts'

/** Instead of an address: ends the open sessions of the setup and revokes its links. */
const END = 'end'

/**
 * @param words - the organization's code, `customer` or `agent`, and the administrator's address or `end`
 * @throws ConfigError - when an argument is invalid
 */
export async function mailSetupLink(
  deps: SetupLinkDeps & {
    readonly organizations: Pick<Organizations, 'withCode'>
    readonly config: Pick<Config, 'publicUrl' | 'port'>
  },
  [organizationCode = '', userType = '', typedEmail = '']: readonly string[],
): Promise<void> {
  const organization = deps.organizations.withCode(organizationCode)
  const email = emailAddress(typedEmail)
  if (organization === undefined) {
    throw new ConfigError([`There is no organization with the code "${organizationCode}"`])
  }
  if (!isUserType(userType)) throw new ConfigError([`Specify ${USER_TYPES.join(' or ')}`])
  if (typedEmail === END) {
    const provider = await deps.stores.providers.findToSetUp(organizationCode, userType)
    if (provider === undefined) return
    const end = { providerId: provider.id, at: deps.clock() }
    const visitor = { organization, network: 'operator' }
    return deps.stores.atomically((transaction) => endSetup(transaction, { ...end, visitor }))
  }
  if (email === undefined) throw new ConfigError(["Specify the administrator's email address"])
  const sender = automaticSender(organization, deps.config)
  await createSetupLink(deps)(sender, { userType, email })
}

/**
 * Like `mailSetupLink`, from a separate process. The server sends the mail, now or when it starts.
 *
 * @throws ConfigError - when an argument or the configuration is invalid
 */
export async function requestSetupLink(config: Config, words: readonly string[]): Promise<void> {
  const isEmbedded = config.databaseUrl === undefined
  const isDone =
    isEmbedded &&
    (await requestFromServer(config.dataDir, 'sso-link', words.join(' '))) !== undefined
  if (isDone) return
  const { organizations } = (await loadData(config)).brands
  const vault = openVault(config)
  const database = await openDatabase(config)
  const stores = allStores(database)
  const clock = Date.now
  const outbox = openOutbox({
    stores,
    vault,
    clock,
    from: config.mailFrom,
    transport: await mailTransport(config),
    sends: false,
    mailbox: !config.production,
    log: openLog('warn'),
  })
  try {
    await mailSetupLink({ stores, outbox, organizations, config, clock }, words)
  } finally {
    await outbox.stop()
    await database.destroy()
  }
}

const isUserType = (text: string): text is UserType => USER_TYPES.some((each) => each === text)
